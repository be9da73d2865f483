// Models from text in the syntax of the ONNX standard; what `print` writes.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ir/dim.h"
#include "ir/model.h"

namespace godwit::ir {

/// `name` stands in errors, which all say line and column. Errors: E166 syntax, E167 a value that
/// is not made before, E168 one that is made twice, E169 numbers that do not fit the type.
Result<Model> parse(std::string_view text, std::string name);

/// "N", "2*N + 1", "floor(H/32)": what Dim::to_string writes; another text is the name of a symbol.
Dim parse_dim(std::string_view text);

}  // namespace godwit::ir
