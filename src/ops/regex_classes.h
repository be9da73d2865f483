// Classes of characters that regular expressions have names for.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ops/regex.h"

namespace godwit::ops {

using Ranges = std::vector<Regex::Range>;

inline constexpr char32_t kLastPoint = 0x10ffff;

/// All characters that are not in the ranges.
Ranges negated(Ranges ranges);
/// d, s and w as they stand behind a backslash; their capitals mean all others.
std::optional<Ranges> perl_class(char32_t name);
/// alpha, digit and so on, as they stand in [: and :].
std::optional<Ranges> posix_class(std::u32string_view name);

}  // namespace godwit::ops
