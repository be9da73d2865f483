// CANN: where the toolkit lies, its release, and for which chips compiled operators are installed.
#include <algorithm>

#include "base/text.h"
#include "doctor/reader.h"

namespace godwit::doctor::readers {
namespace {

bool has_toolkit(const Machine& machine, const std::string& root) {
  return !root.empty() &&
         (machine.is_folder(root + "/opp") || machine.is_folder(root + "/compiler") ||
          machine.read(root + "/version.cfg").has_value());
}

// The variable of set_env.sh wins; then the folders of the installers, from 8.5 on and before.
std::string find_root(const Machine& machine) {
  std::vector<std::string> places = {machine.variable("ASCEND_HOME_PATH"),
                                     machine.variable("ASCEND_TOOLKIT_HOME")};
  for (const std::string& base : {std::string("/usr/local/Ascend"), machine.home() + "/Ascend"}) {
    places.push_back(base + "/cann");
    places.push_back(base + "/ascend-toolkit/latest");
    const auto names = machine.list(base);
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
      if (name->starts_with("cann-")) places.push_back(base + "/" + *name);
    }
  }
  const auto found = std::find_if(places.begin(), places.end(), [&](const std::string& place) {
    return has_toolkit(machine, place);
  });
  return found == places.end() ? std::string() : *found;
}

// `toolkit_running_version=[7.6.0.1.220:8.0.0]`: the second number is the release.
std::string release_of(const std::string& value) {
  const std::size_t colon = value.find(':');
  if (colon == std::string::npos) return {};
  std::string release = value.substr(colon + 1);
  release.erase(std::min(release.find(']'), release.size()));
  return Version::parse(release) ? release : std::string();
}

// `Version` of a module is an inner number (8.2.0.0.201); its `version_dir` is the release.
void read_modules(const Machine& machine, const std::string& root, Found& cann) {
  for (const std::string_view module : {"toolkit", "compiler", "runtime", "opp"}) {
    for (const std::string_view folder : {"", "/share/info"}) {
      const std::string file = format("{}{}/{}/version.info", root, folder, module);
      const std::string release = value_of(machine.read(file).value_or(""), "version_dir");
      if (Version::parse(release)) cann.learn(release, file);
    }
  }
}

void read_release(const Machine& machine, const std::string& root, Found& cann) {
  for (const std::string_view arch : {"x86_64", "aarch64"}) {
    const std::string file = format("{}/{}-linux/ascend_toolkit_install.info", root, arch);
    const std::string release = value_of(machine.read(file).value_or(""), "version");
    if (Version::parse(release)) cann.learn(release, file);
  }
  const std::string file = root + "/version.cfg";
  const std::string text = machine.read(file).value_or("");
  for (const std::string_view module : {"toolkit", "runtime", "compiler", "opp"}) {
    cann.learn(release_of(value_of(text, format("{}_running_version", module))), file);
  }
  read_modules(machine, root, cann);
}

// Compiled kernels lie in one folder per chip family, beside `config`.
void read_ops(const Machine& machine, const std::string& root, Environment& environment) {
  const std::string folder = root + "/opp/built-in/op_impl/ai_core/tbe/kernel";
  environment.has_all_ops = machine.is_folder(root + "/opp");
  for (const std::string& name : machine.list(folder)) {
    if (name.starts_with("ascend")) environment.ops.push_back({name, folder});
  }
}

// "Ascend-cann-atb : 8.2.RC1"
void read_nnal(const Machine& machine, Environment& environment) {
  for (const std::string& base : {std::string("/usr/local/Ascend"), machine.home() + "/Ascend"}) {
    const std::string file = base + "/nnal/atb/latest/version.info";
    const std::string release = value_of(machine.read(file).value_or(""), "Ascend-cann-atb", ':');
    if (Version::parse(release)) environment.nnal.learn(release, file);
  }
}

void read(const Machine& machine, Environment& environment) {
  const std::string root = find_root(machine);
  read_nnal(machine, environment);
  if (root.empty()) return;
  environment.cann_root.learn(root, root);
  read_release(machine, root, environment.cann);
  read_ops(machine, root, environment);
}

}  // namespace

extern const Reader cann = {.name = "cann", .read = read};

}  // namespace godwit::doctor::readers
