// What a dimension hangs on: apart from dim.h, because few ask and every operator reads that.
#pragma once

#include <string>
#include <vector>

#include "ir/dim.h"

namespace godwit::ir {

/// Names of the symbols in an expression, sorted, each once; none of a number or an unknown.
std::vector<std::string> symbols(Dim dim);

}  // namespace godwit::ir
