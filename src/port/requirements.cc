// Names of packages are compared with those of the table of libraries.
#include "port/requirements.h"

#include "base/text.h"

namespace godwit::port {
namespace {

bool is_project_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

}  // namespace

std::string_view package_of(std::string_view requirement) {
  std::size_t end = 0;
  while (end < requirement.size() && is_project_name(requirement[end])) ++end;
  return requirement.substr(0, end);
}

std::optional<facts::Library> library_lacking(std::string_view package, const World& world) {
  const auto found = facts::find_library(replace_all(to_lower(package), "-", "_"), world.soc);
  if (!found || !*found) return std::nullopt;
  const facts::Library& library = **found;
  const bool runs = library.how == facts::Replacement::kSame || facts::is_yes(library.on_soc);
  return runs ? std::nullopt : std::optional(library);
}

std::pair<std::size_t, std::size_t> cuda_tag(std::string_view requirement) {
  const std::size_t tag = requirement.find("+cu");
  if (tag == std::string_view::npos) return {0, 0};
  std::size_t end = tag + 3;
  while (end < requirement.size() && requirement[end] >= '0' && requirement[end] <= '9') ++end;
  return end == tag + 3 ? std::pair<std::size_t, std::size_t>(0, 0) : std::pair(tag, end);
}

}  // namespace godwit::port
