// Usage: what is wrong with a command line, in the language of the run.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace godwit::cli {

/// From the English sentence of the parser to our own; a sentence that is not known stays.
std::string usage_text(std::string_view parser_text);

/// A command line that does not fit (E022): why, what `wanted` says would stand there, where to
/// read on.
Error misused(std::string reason, std::string wanted, std::string help);

}  // namespace godwit::cli
