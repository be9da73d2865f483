// Upper and lower case of UTF-8 text for the scripts that have it one letter for one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace godwit::ops {

enum class LetterCase { kLower, kUpper };

/// The text in one case. Covered: Basic Latin, Latin-1, Latin Extended-A, Greek and Cyrillic; and
/// whatever has no case, such as Chinese, Japanese, Korean, Arabic, Hebrew and digits. Nothing for
/// other scripts and for letters that become two, rather than a wrong answer.
std::optional<std::string> to_case(std::string_view text, LetterCase wanted);

}  // namespace godwit::ops
