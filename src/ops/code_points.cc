// UTF-8 by its bit patterns: the number of leading ones is the length.
#include "ops/code_points.h"

#include <bit>

#include "base/text.h"

namespace godwit::ops {

std::optional<std::u32string> code_points(std::string_view text) {
  if (first_invalid_utf8(text) < text.size()) return std::nullopt;
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    const int length = std::countl_one(lead);
    char32_t point = length == 0 ? lead : lead & (0x7fu >> length);
    for (int k = 1; k < length; ++k)
      point = point << 6 | (static_cast<unsigned char>(text[i++]) & 0x3fu);
    out.push_back(point);
  }
  return out;
}

std::string to_utf8(std::u32string_view text) {
  std::string out;
  for (const char32_t point : text) {
    if (point < 0x80) {
      out.push_back(static_cast<char>(point));
      continue;
    }
    const int tail = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    out.push_back(static_cast<char>(0xff00u >> (tail + 1) | point >> (6 * tail)));
    for (int k = tail; k-- > 0;)
      out.push_back(static_cast<char>(0x80u | (point >> (6 * k) & 0x3fu)));
  }
  return out;
}

}  // namespace godwit::ops
