// Text functions; ASCII-only where they say so, and never dependent on the process locale.
#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace godwit {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

struct Decoded {
  char32_t point = 0;
  std::size_t bytes = 0;  // 0: the bytes at this place are not UTF-8
};

Decoded decode(std::string_view s, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(s[i]); };
  const std::uint8_t first = byte(at);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > s.size()) return {};
  char32_t point = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {};
    point = (point << 6) | (byte(at + i) & 0x3Fu);
  }
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  if (point < kLeast[length] || surrogate || point > 0x10FFFF) return {};
  return {point, length};
}

// Unicode Standard Annex 11, East Asian Width W and F, as ranges coarse enough for a terminal.
bool is_wide(char32_t c) {
  struct Range {
    char32_t first, last;
  };
  constexpr std::array<Range, 11> kWide = {{{0x1100, 0x115F},
                                            {0x2E80, 0x303E},
                                            {0x3041, 0x33FF},
                                            {0x3400, 0x4DBF},
                                            {0x4E00, 0x9FFF},
                                            {0xA000, 0xA4CF},
                                            {0xAC00, 0xD7A3},
                                            {0xF900, 0xFAFF},
                                            {0xFE30, 0xFE6F},
                                            {0xFF00, 0xFF60},
                                            {0x20000, 0x3FFFD}}};
  return std::any_of(kWide.begin(), kWide.end(),
                     [c](Range r) { return c >= r.first && c <= r.last; });
}

std::size_t width_of(char32_t c) {
  if (c < 0x20 || (c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F)) return 0;
  return is_wide(c) ? 2 : 1;
}

// Wide text may break between any two characters, but no line may start with closing punctuation
// or end with an opening bracket (GB/T 15834).
bool breaks_between(char32_t left, char32_t right) {
  constexpr std::u32string_view kClosing = U"。，、；：？！）》」』】”’…—%),.;:!?]}";
  constexpr std::u32string_view kOpening = U"（《「『【“‘([{";
  return (is_wide(left) || is_wide(right)) && kClosing.find(right) == std::u32string_view::npos &&
         kOpening.find(left) == std::u32string_view::npos;
}

template <class Part>
std::string join_parts(std::span<const Part> parts, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i) out += separator;
    out += parts[i];
  }
  return out;
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::vector<std::string_view> split_list(std::string_view cell, char separator) {
  std::vector<std::string_view> parts = split(cell, separator);
  for (std::string_view& part : parts) part = trim(part);
  std::erase_if(parts, [](std::string_view part) { return part.empty(); });
  return parts;
}

std::string_view last_part(std::string_view dotted) { return dotted.substr(dotted.rfind('.') + 1); }

std::string join(std::span<const std::string> parts, std::string_view separator) {
  return join_parts(parts, separator);
}

std::string join(std::span<const std::string_view> parts, std::string_view separator) {
  return join_parts(parts, separator);
}

std::string to_lower(std::string_view ascii) {
  std::string out(ascii);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  std::size_t begin = 0;
  for (std::size_t at; !from.empty() && (at = text.find(from, begin)) != std::string_view::npos;) {
    out.append(text.substr(begin, at - begin)).append(to);
    begin = at + from.size();
  }
  return out.append(text.substr(begin));
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (text.empty() || status != std::errc() || stop != end) return std::nullopt;
  return value;
}

// libc++ before 20 has no from_chars for double; strtod follows the locale. A plain decimal reader
// is enough for tables and is exact for the short figures that they hold.
std::optional<double> parse_number(std::string_view text) {
  std::size_t at = 0;
  const bool negative = at < text.size() && text[at] == '-';
  if (negative) ++at;
  double value = 0, scale = 1;
  bool digits = false, fraction = false;
  for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
    const char c = text[at];
    if (c == '.' && !fraction) {
      fraction = true;
    } else if (c >= '0' && c <= '9') {
      digits = true;
      value = value * 10 + (c - '0');
      if (fraction) scale *= 10;
    } else {
      return std::nullopt;
    }
  }
  if (!digits) return std::nullopt;
  value /= scale;
  if (at < text.size()) {
    const std::string_view tail = text.substr(at + 1);
    const auto exponent = parse_integer(tail.starts_with('+') ? tail.substr(1) : tail);
    if (!exponent || *exponent > 308 || *exponent < -308) return std::nullopt;
    for (std::int64_t i = 0; i < std::abs(*exponent); ++i)
      value = *exponent > 0 ? value * 10 : value / 10;
  }
  return negative ? -value : value;
}

std::size_t first_invalid_utf8(std::string_view bytes) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080u;
  for (std::size_t at = 0; at < bytes.size();) {
    std::uint64_t eight = kHighBits;  // sources are ASCII for the most part
    if (bytes.size() - at >= sizeof eight) std::memcpy(&eight, bytes.data() + at, sizeof eight);
    if ((eight & kHighBits) == 0) {
      at += sizeof eight;
      continue;
    }
    const std::size_t length = decode(bytes, at).bytes;
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

std::string to_valid_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = decode(bytes, at).bytes;
    out += length ? bytes.substr(at, length) : std::string_view("\xEF\xBF\xBD");
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::size_t display_width(std::string_view utf8) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    const Decoded c = decode(utf8, at);
    width += c.bytes ? width_of(c.point) : 1;
    at += std::max<std::size_t>(c.bytes, 1);
  }
  return width;
}

std::string pad(std::string_view utf8, std::size_t width) {
  const std::size_t used = display_width(utf8);
  return std::string(utf8) + std::string(width > used ? width - used : 0, ' ');
}

std::vector<std::string> wrap(std::string_view utf8, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  // The last place where the line may end, and how many bytes of it (a blank) are dropped there.
  std::size_t used = 0, last_break = 0, dropped = 0;
  const auto flush = [&](std::size_t keep, std::size_t skip) {
    std::string rest = line.substr(std::min(keep + skip, line.size()));
    lines.push_back(line.substr(0, keep));
    line = std::move(rest);
    used = display_width(line);
    last_break = 0;
  };
  Decoded before{' ', 1};
  for (std::size_t at = 0; at < utf8.size();) {
    const Decoded c = decode(utf8, at);
    const std::size_t length = std::max<std::size_t>(c.bytes, 1);
    if (utf8[at] == '\n') {
      flush(line.size(), 0);
      ++at;
      continue;
    }
    if (utf8[at] == ' ' || breaks_between(before.point, c.point)) {
      last_break = line.size();
      dropped = utf8[at] == ' ' ? 1 : 0;
    }
    const std::size_t columns = c.bytes ? width_of(c.point) : 1;
    if (used + columns > width && !line.empty()) {
      flush(last_break ? last_break : line.size(), last_break ? dropped : 0);
    }
    before = c;
    at += length;
    if (utf8[at - length] == ' ' && line.empty() && !lines.empty()) continue;
    line += utf8.substr(at - length, length);
    used += columns;
  }
  if (!line.empty() || lines.empty()) lines.push_back(line);
  return lines;
}

std::string shorten(std::string_view utf8, std::size_t width) {
  if (width == 0) return std::string(utf8);
  // Looks no further than it shows: the text may be a line of a megabyte.
  std::size_t used = 0, at = 0, kept = 0;
  while (at < utf8.size()) {
    const Decoded c = decode(utf8, at);
    used += c.bytes ? width_of(c.point) : 1;
    if (used > width) return std::string(utf8.substr(0, kept)) + "…";
    at += std::max<std::size_t>(c.bytes, 1);
    if (used < width) kept = at;
  }
  return std::string(utf8);
}

std::string fill(std::string_view pattern,
                 std::span<const std::pair<std::string, std::string>> args) {
  std::string out;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char c = pattern[at];
    const bool doubled = at + 1 < pattern.size() && pattern[at + 1] == c;
    if ((c == '{' || c == '}') && doubled) {
      out += c;
      ++at;
      continue;
    }
    const std::size_t close = c == '{' ? pattern.find('}', at) : std::string_view::npos;
    const std::string_view name =
        close == std::string_view::npos ? "" : pattern.substr(at + 1, close - at - 1);
    const auto arg =
        std::find_if(args.begin(), args.end(), [&](const auto& a) { return a.first == name; });
    if (close == std::string_view::npos || arg == args.end()) {
      out += c;
      continue;
    }
    out += arg->second;
    at = close;
  }
  return out;
}

std::vector<std::string> nearest(std::string_view name, std::span<const std::string> candidates,
                                 std::size_t most) {
  const std::string wanted = to_lower(name);
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& candidate : candidates) {
    const std::string given = to_lower(candidate);
    // Levenshtein distance, one row at a time.
    std::vector<std::size_t> row(given.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= wanted.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i;
      for (std::size_t j = 1; j <= given.size(); ++j) {
        const std::size_t replaced = diagonal + (wanted[i - 1] == given[j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
      }
    }
    const bool is_part = !wanted.empty() && contains(given, wanted);
    const std::size_t distance = is_part ? std::min<std::size_t>(row.back(), 1) : row.back();
    if (distance <= std::max<std::size_t>(2, wanted.size() / 3))
      ranked.emplace_back(distance, candidate);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(most, ranked.size()); ++i) out.push_back(ranked[i].second);
  return out;
}

std::string with_thousands(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string human_bytes(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? format("{} B", bytes) : format("{:.1f} {}", value, kUnits[unit]);
}

}  // namespace godwit
