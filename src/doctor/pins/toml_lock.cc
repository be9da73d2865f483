// poetry.lock, uv.lock and pdm.lock: an array of [[package]] with name and version.
#include "base/text.h"
#include "doctor/pin.h"

namespace godwit::doctor::pins {
namespace {

bool matches(std::string_view name) {
  return name == "poetry.lock" || name == "uv.lock" || name == "pdm.lock" || name == "pylock.toml";
}

Result<std::vector<Pin>> read(std::string_view text, const std::string& file) {
  ASSIGN(const Json document, parse_toml(text, file));
  std::vector<Pin> pins;
  const Json& packages =
      document["package"].is_array() ? document["package"] : document["packages"];
  std::string_view left = text;  // packages come in the order of the file: one walk finds all lines
  std::uint32_t line = 0;
  for (const Json& package : packages.items()) {
    const std::string name(package["name"].string());
    const std::uint32_t further = line_of(left, format("\nname = \"{}\"", name));
    if (further) {
      line += further;
      left.remove_prefix(left.find(format("\nname = \"{}\"", name)) + 1);
    }
    add_pin(name, format("=={}", package["version"].string()), {.file = file, .line = line + 1},
            pins);
  }
  return pins;
}

}  // namespace

extern const PinFormat toml_lock = {
    .name = "lock", .matches = matches, .read = read, .is_complete = true};

}  // namespace godwit::doctor::pins
