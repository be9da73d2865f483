// Which nodes a step can take along: a bias, a residual sum and an activation behind a product.
#pragma once

#include <vector>

#include "exec/lowering.h"
#include "ir/model.h"

namespace godwit::exec {

/// The longest tail of `node` that `lowering` takes: nodes whose inputs nobody else sees, in the
/// order bias, residual, activation. Its result is the node's own output when there is none. Nodes
/// that are `taken` belong to the tail of another.
Tail find_tail(const ir::Model& model, const ir::Users& users, const std::vector<bool>& taken,
               ir::NodeId node, const Lowering& lowering);

}  // namespace godwit::exec
