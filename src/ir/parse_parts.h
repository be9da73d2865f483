// The parts of the text form that need no names of values: types and numbers.
#pragma once

#include <memory>

#include "ir/lexer.h"
#include "ir/model.h"

namespace godwit::ir {

bool starts_type(const Token& token);
Result<Type> parse_type(Lexer& in);
/// "{1, 2}" as a tensor of this type, whose shape must be of numbers.
Result<Tensor> parse_numbers(Lexer& in, const Type& type);

}  // namespace godwit::ir
