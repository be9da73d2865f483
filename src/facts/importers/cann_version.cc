// version.cfg, version.info, ascend_toolkit_install.info: which release of CANN is installed.
#include "base/text.h"
#include "facts/importer.h"

namespace godwit::facts::importers {
namespace {

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool claims(std::string_view path) {
  const std::string_view name = file_name(path);
  return name == "version.cfg" || name == "version.info" || name == "ascend_toolkit_install.info";
}

// "[7.6.0.1.220:8.0.0]" → "8.0.0": the internal number comes first, the release second.
std::string_view release_of(std::string_view value) {
  value = trim(value);
  if (!value.starts_with("[")) return {};
  const std::size_t colon = value.find(':'), end = value.find(']');
  if (colon == std::string_view::npos || end == std::string_view::npos || end < colon) return {};
  return trim(value.substr(colon + 1, end - colon - 1));
}

// In a module's version.info `Version` is internal and `version_dir` is the release; the install
// file of the toolkit has the release as `version`.
std::string_view release_in(std::string_view path, std::string_view key, std::string_view value) {
  const std::string_view name = file_name(path);
  if (name == "version.cfg") {
    const bool wanted = key == "toolkit_running_version" || key == "runtime_running_version";
    return wanted ? release_of(value) : std::string_view{};
  }
  if (key == "version_dir") return trim(value);
  return name == "ascend_toolkit_install.info" && key == "version" ? trim(value)
                                                                   : std::string_view{};
}

void read(std::string_view path, std::string_view text, Imported& into) {
  if (contains(path, "driver/") || contains(path, "firmware/")) return;  // other numbers
  for (const std::string_view line : split(text, '\n')) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view release =
        release_in(path, trim(line.substr(0, equals)), line.substr(equals + 1));
    if (!release.empty() && release.size() < 40 && into.cann.empty()) into.cann = release;
  }
}

}  // namespace

extern const Importer cann_version = {.name = "cann_version", .claims = claims, .read = read};

}  // namespace godwit::facts::importers
