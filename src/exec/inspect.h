// What `godwit inspect` shows of a model: interface, operators, parameters, operations, memory.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "diag/finding.h"

namespace godwit::exec {

struct InspectRequest {
  std::string model{};
  std::vector<std::string> dims{};  // "N=4"; open ones count as 1
  bool graph = false;               // the graph as text, for people
  std::string annotated{};  // the model with the types of all its values; empty: not written
};

/// Costs are those of the model with its functions inlined. Errors: those of formats::onnx::load,
/// ops::inline_functions, ops::infer, parse_dims and formats::onnx::write.
Result<diag::Outcome> inspect(const InspectRequest& request);

}  // namespace godwit::exec
