// Pipfile.lock: JSON with the packages under "default" and the Python under "_meta".
#include "doctor/pin.h"

namespace godwit::doctor::pins {
namespace {

bool matches(std::string_view name) { return name == "pipfile.lock"; }

Result<std::vector<Pin>> read(std::string_view text, const std::string& file) {
  ASSIGN(const Json document, parse_json(text, file));
  std::vector<Pin> pins;
  for (const auto& [name, package] : document["default"].members()) {
    const std::string_view version = package["version"].string();
    if (!version.empty())
      add_pin(name, version, {.file = file, .line = line_of(text, "\"" + name + "\": {")}, pins);
  }
  const std::string_view python = document["_meta"]["requires"]["python_version"].string();
  if (!python.empty()) {
    add_pin("python", std::string(python) + ".*",
            {.file = file, .line = line_of(text, "\"python_version\"")}, pins);
  }
  return pins;
}

}  // namespace

extern const PinFormat pipfile_lock = {
    .name = "Pipfile.lock", .matches = matches, .read = read, .is_complete = true};

}  // namespace godwit::doctor::pins
