// Functions of the model in place of the nodes that call them.
#pragma once

#include "base/result.h"
#include "ir/model.h"

namespace godwit::ops {

/// Replaces every call of a function of the model by the nodes of its body, in subgraphs and in
/// other functions too; the model has no functions afterwards. Values get names of their own,
/// nodes keep the opset that the function imports. Errors: E156 a function that calls itself, E157
/// more nodes than a model may have.
Status inline_functions(ir::Model& model);

}  // namespace godwit::ops
