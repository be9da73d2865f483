// Attributes of the text form; their graphs are read by whoever knows the names around them.
#pragma once

#include <functional>

#include "ir/lexer.h"
#include "ir/model.h"

namespace godwit::ir {

using GraphReader = std::function<Result<GraphId>()>;

/// "axis: int = 1", "value = float[2] {1, 2}", "then_branch = g () => (float y) { … }".
Result<Attribute> parse_attribute(Lexer& in, const GraphReader& read_graph);

}  // namespace godwit::ir
