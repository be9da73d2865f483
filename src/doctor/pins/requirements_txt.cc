// requirements.txt, constraints.txt and the output of pip freeze: one requirement per line.
#include "base/text.h"
#include "doctor/pin.h"

namespace godwit::doctor::pins {
namespace {

bool matches(std::string_view name) {
  return name.ends_with(".txt") && (contains(name, "requirement") || contains(name, "constraint") ||
                                    contains(name, "freeze"));
}

Result<std::vector<Pin>> read(std::string_view text, const std::string& file) {
  std::vector<Pin> pins;
  std::uint32_t number = 0;
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = trim(line);
    if (line.ends_with('\\')) line.remove_suffix(1);  // only hashes follow in the next line
    auto pin = read_requirement(line);
    if (!pin) continue;
    pin->place = {.file = file, .line = number};
    pins.push_back(*std::move(pin));
  }
  return pins;
}

}  // namespace

extern const PinFormat requirements_txt = {
    .name = "requirements.txt", .matches = matches, .read = read};

}  // namespace godwit::doctor::pins
