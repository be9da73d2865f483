// Whether a model is what all passes rely on: every value made once and before its use.
#pragma once

#include "base/result.h"
#include "ir/model.h"

namespace godwit::ir {

/// The first fault of the graphs that can be reached. Errors: E160 a row that does not exist or
/// stands in two places, E161 a value made twice, E162 one used where it is not made yet, in a
/// cycle or outside its graph, E163 two values of a graph with one name, E164 a constant that its
/// value contradicts, E165 an output that nothing makes.
Status verify(const Model& model);

}  // namespace godwit::ir
