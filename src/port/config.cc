// Reads pairs from left to right; a value in quotes may hold any sign but the quote.
#include "port/config.h"

#include "base/text.h"

namespace godwit::port {
namespace {

bool is_key(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '/';
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The word that ends before `at`, quoted or not.
std::string_view word_before(std::string_view line, std::size_t at) {
  while (at > 0 && is_blank(line[at - 1])) --at;
  if (at > 0 && (line[at - 1] == '"' || line[at - 1] == '\'')) {
    const std::size_t open = at < 2 ? std::string_view::npos : line.rfind(line[at - 1], at - 2);
    return open == std::string_view::npos ? std::string_view()
                                          : line.substr(open + 1, at - open - 2);
  }
  std::size_t begin = at;
  while (begin > 0 && is_key(line[begin - 1])) --begin;
  return line.substr(begin, at - begin);
}

std::string_view value_after(std::string_view line, std::size_t at) {
  while (at < line.size() && is_blank(line[at])) ++at;
  if (at < line.size() && (line[at] == '"' || line[at] == '\'')) {
    const std::size_t close = line.find(line[at], at + 1);
    return close == std::string_view::npos ? line.substr(at + 1)
                                           : line.substr(at + 1, close - at - 1);
  }
  if (at < line.size() && (line[at] == '{' || line[at] == '[')) return line.substr(at, 1);
  const std::size_t end = line.find_first_of(",}]\r", at);
  std::string_view value = line.substr(at, end == std::string_view::npos ? end : end - at);
  value = value.substr(0, value.find(" #"));
  while (!value.empty() && is_blank(value.back())) value.remove_suffix(1);
  return value;
}

// `: ` of YAML and JSON, ` = ` of TOML, outside quotes.
void read_line(std::string_view line, std::uint32_t offset, bool is_toml,
               std::vector<Setting>& found) {
  char quote = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quote != 0) {
      if (c == '\\') ++at;
      if (c == quote) quote = 0;
      continue;
    }
    if (c == '#' && (at == 0 || is_blank(line[at - 1]))) return;
    if (c == '"' || c == '\'') quote = c;
    const bool is_sign = is_toml ? c == '=' : c == ':';
    const bool is_apart = at + 1 >= line.size() || line[at + 1] == ' ' || line[at + 1] == '"' ||
                          line[at + 1] == '\'' || line[at + 1] == '{' || is_toml;
    if (!is_sign || !is_apart) continue;
    const std::string_view key = word_before(line, at), value = value_after(line, at + 1);
    if (key.empty() || value.empty()) continue;
    found.push_back({.key = key,
                     .value = value,
                     .key_at = offset + static_cast<std::uint32_t>(key.data() - line.data()),
                     .value_at = offset + static_cast<std::uint32_t>(value.data() - line.data())});
  }
}

}  // namespace

std::vector<Setting> settings(const Script& script) {
  std::vector<Setting> found;
  const bool is_toml = script.file().kind == project::FileKind::kToml;
  std::uint32_t offset = 0;
  for (const std::string_view line : split(script.text(), '\n')) {
    read_line(line, offset, is_toml, found);
    offset += static_cast<std::uint32_t>(line.size()) + 1;
  }
  return found;
}

}  // namespace godwit::port
