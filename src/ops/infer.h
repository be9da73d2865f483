// Types and shapes of every value of a model, by the rules of its operators.
#pragma once

#include <vector>

#include "base/result.h"
#include "ir/model.h"
#include "ops/inference.h"

namespace godwit::ops {

/// What inference could not use.
struct InferenceReport {
  std::vector<ir::NodeId> unknown;     // nodes whose operator we do not know
  std::vector<ir::ValueId> disagrees;  // values whose declared type the rules contradict
};

/// Sets the type of every value that the rules can tell. What the file declares fills the gaps;
/// where it contradicts the rules, the rules win. Contents of shape-like tensors are followed, so
/// that Shape → Gather → Concat → Reshape keeps symbols. Errors: E151 an operator whose inputs or
/// attributes cannot be, with the node's name.
Result<InferenceReport> infer(ir::Model& model);

}  // namespace godwit::ops
