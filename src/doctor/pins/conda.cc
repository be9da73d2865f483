// environment.yml of conda, as far as it is a plain list: `- numpy=1.24`, and what stands under `-
// pip:`.
#include "base/text.h"
#include "doctor/pin.h"

namespace godwit::doctor::pins {
namespace {

bool matches(std::string_view name) {
  const bool is_yaml = name.ends_with(".yml") || name.ends_with(".yaml");
  return is_yaml && (name.starts_with("environment") || name.starts_with("conda"));
}

// conda writes one `=` for a prefix (numpy=1.24 holds 1.24.3) and may add a build (=py310_0).
void add_conda(std::string_view item, const Place& place, std::vector<Pin>& pins) {
  const auto parts = split_list(item, '=');
  if (contains(item, "==") || item.find_first_of("<>!~") != std::string_view::npos ||
      parts.size() < 2) {
    auto pin = read_requirement(item);
    if (!pin) return;
    pin->place = place;
    pins.push_back(*std::move(pin));
    return;
  }
  const std::string_view name = parts[0] == "pytorch" ? std::string_view("torch") : parts[0];
  const bool is_whole = split(parts[1], '.').size() > 2 || contains(parts[1], "*");
  add_pin(name, is_whole ? format("=={}", parts[1]) : format("{}.*", parts[1]), place, pins);
}

Result<std::vector<Pin>> read(std::string_view text, const std::string& file) {
  std::vector<Pin> pins;
  std::uint32_t number = 0;
  bool in_list = false;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::string_view bare = trim(line.substr(0, line.find(" #")));
    if (!bare.empty() && !bare.starts_with('-') && line.front() != ' ')
      in_list = bare == "dependencies:";
    if (!in_list || !bare.starts_with("- ") || bare.ends_with(':')) continue;
    std::string_view item = trim(bare.substr(2));
    if (item.size() > 1 && (item.front() == '"' || item.front() == '\''))
      item = item.substr(1, item.size() - 2);
    add_conda(item, {.file = file, .line = number}, pins);
  }
  return pins;
}

}  // namespace

extern const PinFormat conda = {.name = "environment.yml", .matches = matches, .read = read};

}  // namespace godwit::doctor::pins
