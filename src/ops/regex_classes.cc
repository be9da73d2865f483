// The classes of https://github.com/google/re2/wiki/Syntax, all of them within ASCII.
#include "ops/regex_classes.h"

#include <algorithm>
#include <utility>

namespace godwit::ops {

Ranges negated(Ranges ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const Regex::Range& a, const Regex::Range& b) { return a.first < b.first; });
  Ranges out;
  char32_t next = 0;
  for (const Regex::Range& range : ranges) {
    if (range.first > next) out.push_back({next, range.first - 1});
    next = std::max(next, static_cast<char32_t>(range.last + 1));
  }
  if (next <= kLastPoint) out.push_back({next, kLastPoint});
  return out;
}

std::optional<Ranges> perl_class(char32_t name) {
  switch (name) {
    case U'd': return Ranges{{U'0', U'9'}};
    case U's': return Ranges{{U'\t', U'\n'}, {U'\f', U'\r'}, {U' ', U' '}};
    case U'w': return Ranges{{U'0', U'9'}, {U'A', U'Z'}, {U'_', U'_'}, {U'a', U'z'}};
    case U'D':
    case U'S':
    case U'W': return negated(*perl_class(name + 32));
    default: return std::nullopt;
  }
}

std::optional<Ranges> posix_class(std::u32string_view name) {
  static const std::pair<std::u32string_view, Ranges> kNames[] = {
      {U"alnum", {{U'0', U'9'}, {U'A', U'Z'}, {U'a', U'z'}}},
      {U"alpha", {{U'A', U'Z'}, {U'a', U'z'}}},
      {U"ascii", {{0, 0x7f}}},
      {U"blank", {{U'\t', U'\t'}, {U' ', U' '}}},
      {U"cntrl", {{0, 0x1f}, {0x7f, 0x7f}}},
      {U"digit", {{U'0', U'9'}}},
      {U"graph", {{U'!', U'~'}}},
      {U"lower", {{U'a', U'z'}}},
      {U"print", {{U' ', U'~'}}},
      {U"punct", {{U'!', U'/'}, {U':', U'@'}, {U'[', U'`'}, {U'{', U'~'}}},
      {U"space", {{U'\t', U'\r'}, {U' ', U' '}}},
      {U"upper", {{U'A', U'Z'}}},
      {U"word", {{U'0', U'9'}, {U'A', U'Z'}, {U'_', U'_'}, {U'a', U'z'}}},
      {U"xdigit", {{U'0', U'9'}, {U'A', U'F'}, {U'a', U'f'}}},
  };
  for (const auto& [known, ranges] : kNames) {
    if (known == name) return ranges;
  }
  return std::nullopt;
}

}  // namespace godwit::ops
