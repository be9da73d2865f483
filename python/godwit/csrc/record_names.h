// Names that records share, by number: paths of modules, names of parameters and operators, labels
// of arguments.
#pragma once

#include <cstdint>
#include <string>

namespace godwit::record {

/// The number of a text; the same text has the same number.
std::int32_t name_number(const std::string& text);
/// The number of "0", "1" …
std::int32_t label_number(int index);
/// Stays valid for ever.
const std::string& name_text(std::int32_t number);

}  // namespace godwit::record
