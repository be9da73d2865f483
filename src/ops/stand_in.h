// Element types that an opset's operator does not take yet: the node is computed in a wider type
// between casts, where that gives the same values.
#pragma once

#include <string>
#include <vector>

#include "ir/fresh_names.h"
#include "ir/model.h"
#include "ops/operator.h"

namespace godwit::ops {

/// Appends the node to `out`, with the casts that it needs in its opset in front and behind. Says
/// why it cannot be done, and then changes nothing; or nothing.
std::string stand_in(ir::Model& model, const Operator& op, ir::NodeId id, ir::FreshNames& names,
                     std::vector<ir::NodeId>& out);

}  // namespace godwit::ops
