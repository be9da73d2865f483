// The same model in another opset.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/model.h"

namespace godwit::ops {

class Expansion;

/// Opsets from which on the parts of an operator mean something else, and how a call is taken
/// across: said in other operators, or left as it is (false) after what needs it was edited. Null:
/// `Operator::expand` says it.
struct Adaptation {
  std::string_view op;
  std::vector<int> breaks;
  Result<bool> (*adapt)(Expansion&, std::int64_t target) = nullptr;
};

extern const std::span<const Adaptation* const> kAdaptations;

/// Says every node of the default domain in `target`, up or down. What moved between attributes and
/// inputs is moved, defaults that changed are written out, operators that the target lacks are
/// said in others. Functions are inlined, types inferred. Errors: E158 with the node where the
/// target has no way to say it, and those of inference.
Status convert(ir::Model& model, std::int64_t target);

}  // namespace godwit::ops
