// Usage: what is wrong with a command line, in the language of the run.
#pragma once

#include <string>
#include <string_view>

namespace godwit::cli {

/// From the English sentence of the parser to our own; a sentence that is not known stays.
std::string usage_text(std::string_view parser_text);

}  // namespace godwit::cli
