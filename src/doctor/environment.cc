// Look-ups in a picture of a machine.
#include "doctor/environment.h"

#include <algorithm>

#include "base/text.h"

namespace godwit::doctor {

void Found::learn(std::string_view text, std::string_view from) {
  text = trim(text);
  if (known() || text.empty()) return;
  value = to_valid_utf8(text.substr(0, 200));  // a garbled source must not fill the screen
  source = to_valid_utf8(from);
}

const Package* Environment::package(std::string_view name) const {
  const auto all = packages_named(name);
  return all.empty() ? nullptr : all.front();
}

std::vector<const Package*> Environment::packages_named(std::string_view name) const {
  std::vector<const Package*> all;
  const std::string wanted = package_name(name);
  for (const Package& package : packages) {
    if (package.name == wanted) all.push_back(&package);
  }
  return all;
}

Found component(const Environment& environment, std::string_view name) {
  const std::string wanted = package_name(name);
  const auto* const field = std::find_if(kFields.begin(), kFields.end(),
                                         [&](const Field& f) { return f.first == wanted; });
  if (field != kFields.end()) return environment.*(field->second);
  const Package* const package = environment.package(wanted);
  return package ? Found{package->version, package->source} : Found{};
}

}  // namespace godwit::doctor
