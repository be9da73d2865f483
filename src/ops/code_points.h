// UTF-8 as numbers of characters, for operators that look into strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace godwit::ops {

/// The characters of a text; nothing when it is not UTF-8.
std::optional<std::u32string> code_points(std::string_view text);
std::string to_utf8(std::u32string_view text);

}  // namespace godwit::ops
