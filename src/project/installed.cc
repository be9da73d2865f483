// Packages are found by the first name of an import, and read as any project is.
#include "project/installed.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "base/text.h"

namespace godwit::project {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 6> kNotRead = {"torch",      "torch_npu", "torchvision",
                                                      "torchaudio", "triton",    "nvidia"};

void add_site_folders(const fs::path& prefix, std::vector<fs::path>& out) {
  std::error_code error;
  for (const std::string_view lib : {"lib", "lib64"}) {
    for (fs::directory_iterator at(prefix / lib, error), end; !error && at != end;
         at.increment(error)) {
      std::error_code ignored;
      const std::string name = at->path().filename().string();
      if (!name.starts_with("python3")) continue;
      for (const std::string_view leaf : {"site-packages", "dist-packages"}) {
        if (fs::is_directory(at->path() / leaf, ignored)) out.push_back(at->path() / leaf);
      }
    }
  }
}

std::set<std::string> imported_roots(const Project& project) {
  std::set<std::string> roots;
  for (const Module& module : project.modules) {
    for (const Import& import : module.imports()) {
      const std::string_view target = module.name(import.target);
      const std::string root(target.substr(0, target.find('.')));
      if (!root.empty() && std::find(kNotRead.begin(), kNotRead.end(), root) == kNotRead.end() &&
          roots.insert(root).second && project.find(root) != nullptr)
        roots.erase(root);
    }
  }
  return roots;
}

bool is_cuda_name(std::string_view name) {
  return name == ".cuda" || name == "torch.Tensor.cuda" || name == "torch.nn.Module.cuda" ||
         name.starts_with("torch.cuda.");
}

void add_places(const Module& module, const fs::path& folder, std::vector<InstalledPlace>& out) {
  for (const Use& use : module.uses()) {
    const std::string_view name = module.name(use.name);
    if (!is_cuda_name(name)) continue;
    Place place = module.place(use.node);
    place.file = (folder / place.file).string();
    out.push_back({.name = std::string(name),
                   .place = std::move(place),
                   .snippet = std::string(trim(module.source().line(
                       module.source().place(module.tree()[use.node].begin).line)))});
  }
}

fs::path find_package(const std::vector<fs::path>& folders, const std::string& root) {
  std::error_code error;
  for (const fs::path& folder : folders) {
    for (const fs::path& candidate : {folder / root, folder / (root + ".py")}) {
      if (fs::exists(candidate, error)) return candidate;
    }
  }
  return {};
}

}  // namespace

std::vector<fs::path> package_folders() {
  std::vector<fs::path> folders;
  for (const char* const name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const char* const prefix = std::getenv(name)) add_site_folders(prefix, folders);
  }
  if (!folders.empty()) return folders;
  add_site_folders("/usr/local", folders);
  add_site_folders("/usr", folders);
  std::error_code error;
  if (fs::is_directory("/usr/lib/python3/dist-packages", error))
    folders.emplace_back("/usr/lib/python3/dist-packages");
  return folders;
}

std::vector<InstalledPackage> installed_packages(const Project& project) {
  const std::vector<fs::path> folders = package_folders();
  std::vector<InstalledPackage> packages;
  for (const std::string& root : imported_roots(project)) {
    const fs::path where = find_package(folders, root);
    if (where.empty()) continue;
    const auto opened = open_project(where);
    if (!opened) continue;
    InstalledPackage package{.name = root, .where = where, .places = {}};
    for (const Module& module : opened->modules)
      add_places(module, opened->listing.root, package.places);
    packages.push_back(std::move(package));
  }
  return packages;
}

}  // namespace godwit::project
