// Escapes after XML 1.0, production 2 (Char); HTML reads the same five entities.
#include "base/markup.h"

#include "base/text.h"

namespace godwit {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool is_control(char c) { return (c >= 0 && c < 0x20) || c == 0x7F; }

// U+FFFE and U+FFFF; U+202A…202E and U+2066…2069 turn the reading direction, which can make
// code look like other code (CVE-2021-42574).
bool is_deceptive(std::string_view bytes) {
  if (bytes.size() < 3) return false;
  const std::string_view lead = bytes.substr(0, 2);
  const auto last = static_cast<unsigned char>(bytes[2]);
  if (lead == "\xEF\xBF") return last >= 0xBE;
  return (lead == "\xE2\x80" && last >= 0xAA && last <= 0xAE) ||
         (lead == "\xE2\x81" && last >= 0xA6 && last <= 0xA9);
}

std::string_view entity(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
  }
}

template <class Keep>
std::string replace(std::string_view raw, Keep keep) {
  const std::string text = to_valid_utf8(raw);
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (keep(text[at], out)) continue;
    if (is_control(text[at])) {
      out += kReplacement;
    } else if (is_deceptive(std::string_view(text).substr(at, 3))) {
      out += kReplacement;
      at += 2;
    } else {
      out += text[at];
    }
  }
  return out;
}

}  // namespace

std::string escape_markup(std::string_view text) {
  return replace(text, [](char c, std::string& out) {
    if (c == '\t' || c == '\n') return out += c, true;
    if (c == '\r') return true;
    const std::string_view named = entity(c);
    out += named;
    return !named.empty();
  });
}

std::string printable(std::string_view text) {
  return replace(text, [](char c, std::string& out) {
    if (c != '\t' && c != '\n') return false;
    out += c == '\t' ? ' ' : c;
    return true;
  });
}

}  // namespace godwit
