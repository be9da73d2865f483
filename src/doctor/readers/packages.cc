// Installed Python packages: the dist-info and egg-info entries of the active site-packages
// folders.
#include "base/text.h"
#include "doctor/reader.h"

namespace godwit::doctor::readers {
namespace {

// Metadata as mail headers; both names are in the first lines.
Package from_metadata(const Machine& machine, const std::string& entry) {
  for (const std::string_view file : {"/METADATA", "/PKG-INFO", ""}) {
    const std::string text = machine.read(entry + std::string(file)).value_or("").substr(0, 4096);
    const std::string name = value_of(text, "Name", ':');
    const std::string version = value_of(text, "Version", ':');
    if (!name.empty() && Version::parse(version)) return {package_name(name), version, entry};
  }
  return {};
}

// "torch-2.1.0+cpu.dist-info" tells all; a folder without a version has a metadata file.
Package from_entry(const Machine& machine, const std::string& folder, std::string_view entry) {
  const bool is_egg = entry.ends_with(".egg-info");
  if (!is_egg && !entry.ends_with(".dist-info")) return {};
  if (entry.starts_with('~')) return {};  // left behind by a pip that was stopped
  std::string_view bare = entry.substr(0, entry.rfind('.'));
  if (const std::size_t python = bare.find("-py3"); is_egg && python != std::string_view::npos) {
    bare = bare.substr(0, python);
  }
  const std::size_t dash = bare.rfind('-');
  if (dash != std::string_view::npos && Version::parse(bare.substr(dash + 1))) {
    return {package_name(bare.substr(0, dash)), std::string(bare.substr(dash + 1)),
            format("{}/{}", folder, entry)};
  }
  return from_metadata(machine, format("{}/{}", folder, entry));
}

// torch/version.py: `cuda: Optional[str] = '12.1'` or `cuda = None`
void read_torch_cuda(const Machine& machine, const std::string& folder, Environment& environment) {
  const std::string file = folder + "/torch/version.py";
  const std::string text = machine.read(file).value_or("");
  for (const std::string_view line : split(text, '\n')) {
    if (!line.starts_with("cuda")) continue;
    const auto parts = split(line, '\'');
    if (parts.size() == 3 && Version::parse(parts[1])) environment.torch_cuda.learn(parts[1], file);
  }
}

void read(const Machine& machine, Environment& environment) {
  environment.has_all_packages = !environment.site_folders.empty();
  for (const std::string& folder : environment.site_folders) {
    for (const std::string& entry : machine.list(folder)) {
      Package package = from_entry(machine, folder, entry);
      if (!package.name.empty()) environment.packages.push_back(std::move(package));
    }
    read_torch_cuda(machine, folder, environment);
  }
}

}  // namespace

extern const Reader packages = {.name = "packages", .stage = 1, .read = read};

}  // namespace godwit::doctor::readers
