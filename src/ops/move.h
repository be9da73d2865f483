// The attributes and inputs of a call as another opset has them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/model.h"
#include "ops/operator.h"

namespace godwit::ops {

/// What becomes of a call. An attribute that ends where an input of its name begins is the same
/// thing.
struct Parts {
  std::vector<ir::Attribute> attributes{};
  std::vector<ir::ValueId> inputs{};                            // kNone where `constants` says one
  std::vector<std::pair<std::size_t, ir::Tensor>> constants{};  // by place
};

/// Says the call of `op` with the parts that it has in opset `target`. Why that cannot be done, or
/// nothing and the result in `out`; the model stays as it is.
std::string move_parts(const ir::Model& model, const Operator& op, const ir::Node& node,
                       std::int64_t target, Parts& out);

}  // namespace godwit::ops
