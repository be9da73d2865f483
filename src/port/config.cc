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

Setting setting_of(std::string_view line, std::uint32_t offset, std::string_view key,
                   std::uint32_t key_at, std::string_view value) {
  return {.key = key,
          .value = value,
          .key_at = key_at,
          .value_at = offset + static_cast<std::uint32_t>(value.data() - line.data())};
}

// What stands between the brackets of a list that ends on its line; tables in it are pairs anyway.
void read_items(std::string_view line, std::uint32_t offset, std::size_t open, Setting list,
                std::vector<Setting>& found) {
  std::size_t at = open + 1;
  while (at < line.size()) {
    const std::string_view item = value_after(line, at);
    if (item.empty() || item == "{" || item == "[") return;
    found.push_back(setting_of(line, offset, list.key, list.key_at, item));
    at =
        line.find_first_of(",]", static_cast<std::size_t>(item.data() - line.data()) + item.size());
    if (at == std::string_view::npos || line[at] == ']') return;
    ++at;
  }
}

// `devices:` and the items below it, each behind a dash.
class BlockList {
 public:
  void read(std::string_view line, std::uint32_t offset, std::vector<Setting>& found) {
    const std::string_view text = trim(line);
    if (text.empty() || text.front() == '#') return;
    const auto indent = static_cast<std::size_t>(text.data() - line.data());
    if (text.starts_with("- ")) {
      const std::string_view item = value_after(line, indent + 2);
      const bool is_pair = contains(text, ": ") || text.ends_with(":");
      if (!key_.empty() && indent >= indent_ && !is_pair && !item.empty())
        found.push_back(setting_of(line, offset, key_, key_at_, item));
      return;
    }
    key_ = {};
    if (!text.ends_with(":")) return;
    key_ = word_before(line, indent + text.size() - 1);
    key_at_ = offset + static_cast<std::uint32_t>(key_.data() - line.data());
    indent_ = indent;
  }

 private:
  std::string_view key_{};
  std::uint32_t key_at_ = 0;
  std::size_t indent_ = 0;
};

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
    const auto key_at = offset + static_cast<std::uint32_t>(key.data() - line.data());
    found.push_back(setting_of(line, offset, key, key_at, value));
    if (value == "[")
      read_items(line, offset, static_cast<std::size_t>(value.data() - line.data()), found.back(),
                 found);
  }
}

}  // namespace

std::vector<Setting> settings(const Script& script) {
  std::vector<Setting> found;
  const bool is_toml = script.file().kind == project::FileKind::kToml;
  const bool is_yaml = script.file().kind == project::FileKind::kYaml;
  BlockList list;
  std::uint32_t offset = 0;
  for (const std::string_view line : split(script.text(), '\n')) {
    if (is_yaml) list.read(line, offset, found);
    read_line(line, offset, is_toml, found);
    offset += static_cast<std::uint32_t>(line.size()) + 1;
  }
  return found;
}

}  // namespace godwit::port
