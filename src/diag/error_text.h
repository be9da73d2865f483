// Errors as people read them: broken at the width of the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace godwit::diag {

/// As render(error) of finding.h, with lines broken at `width` columns; 0 leaves them whole.
std::string render(const Error& error, std::size_t width);

}  // namespace godwit::diag
