// setup.cfg and setup.py: install_requires and python_requires, as far as they are written out.
#include <algorithm>

#include "base/text.h"
#include "doctor/pin.h"

namespace godwit::doctor::pins {
namespace {

bool matches(std::string_view name) { return name == "setup.py" || name == "setup.cfg"; }

void add(std::string_view item, const std::string& file, std::uint32_t line,
         std::vector<Pin>& pins) {
  auto pin = read_requirement(item);
  if (!pin) return;
  pin->place = {.file = file, .line = line};
  pins.push_back(*std::move(pin));
}

// The quoted texts between `install_requires=[` and the bracket that closes it.
void read_list(std::string_view text, std::size_t from, const std::string& file,
               std::vector<Pin>& pins) {
  std::size_t at = text.find('[', from);
  if (at == std::string_view::npos || at > from + 4)
    return;  // a name, not a list: computed elsewhere
  std::uint32_t line = line_of(text, text.substr(from, 40));
  for (++at; at < text.size() && text[at] != ']'; ++at) {
    if (text[at] == '\n') ++line;
    if (text[at] != '"' && text[at] != '\'') continue;
    const std::size_t end = text.find(text[at], at + 1);
    if (end == std::string_view::npos) return;
    add(text.substr(at + 1, end - at - 1), file, line, pins);
    at = end;
  }
}

// setup.cfg: indented lines below `install_requires =`.
void read_block(std::string_view text, std::size_t from, const std::string& file,
                std::vector<Pin>& pins) {
  std::uint32_t line = line_of(text, text.substr(from, 40));
  bool is_first = true;
  for (const std::string_view row : split(text.substr(from), '\n')) {
    if (!is_first && !row.empty() && row.front() != ' ' && row.front() != '\t') return;
    add(is_first ? row.substr(std::min(row.size(), row.find('=') + 1)) : row, file, line++, pins);
    is_first = false;
  }
}

Result<std::vector<Pin>> read(std::string_view text, const std::string& file) {
  std::vector<Pin> pins;
  const bool is_python = file.ends_with(".py");
  constexpr std::string_view kKey = "install_requires";
  const std::size_t at = text.find(kKey);
  if (at != std::string_view::npos) {
    is_python ? read_list(text, at + kKey.size(), file, pins) : read_block(text, at, file, pins);
  }
  const std::size_t python = text.find("python_requires");
  if (python != std::string_view::npos) {
    std::string_view value = text.substr(python, text.find('\n', python) - python);
    value = trim(value.substr(std::min(value.size(), value.find('=') + 1)));
    if (value.ends_with(',')) value.remove_suffix(1);
    if (value.size() > 1 && (value.front() == '"' || value.front() == '\''))
      value = value.substr(1, value.size() - 2);
    add_pin("python", value, {.file = file, .line = line_of(text, "python_requires")}, pins);
  }
  return pins;
}

}  // namespace

extern const PinFormat setup = {.name = "setup", .matches = matches, .read = read};

}  // namespace godwit::doctor::pins
