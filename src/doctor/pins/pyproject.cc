// pyproject.toml: dependencies of [project], or of [tool.poetry].
#include "doctor/pin.h"

namespace godwit::doctor::pins {
namespace {

bool matches(std::string_view name) { return name == "pyproject.toml"; }

Result<std::vector<Pin>> read(std::string_view text, const std::string& file) {
  ASSIGN(const Json document, parse_toml(text, file));
  std::vector<Pin> pins;
  const Json& project = document["project"];
  add_requirements(project["dependencies"], text, file, pins);
  const std::string_view python = project["requires-python"].string();
  if (!python.empty())
    add_pin("python", python, {.file = file, .line = line_of(text, "requires-python")}, pins);
  for (const auto& [name, value] : document["tool"]["poetry"]["dependencies"].members()) {
    const std::string_view range = value.is_string() ? value.string() : value["version"].string();
    if (!range.empty())
      add_pin(name, range, {.file = file, .line = line_of(text, "\n" + name) + 1}, pins);
  }
  return pins;
}

}  // namespace

extern const PinFormat pyproject = {.name = "pyproject.toml", .matches = matches, .read = read};

}  // namespace godwit::doctor::pins
