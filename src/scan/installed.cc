// Counting CUDA-bound places in the packages of the active environment.
#include "scan/installed.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "base/text.h"

namespace godwit::scan {
namespace {

namespace fs = std::filesystem;

// torch and what adapts it are CUDA-bound by nature, and replaced as a whole.
constexpr std::array<std::string_view, 6> kNotCounted = {"torch",      "torch_npu", "torchvision",
                                                         "torchaudio", "triton",    "nvidia"};

void add_site_folders(const fs::path& prefix, std::vector<fs::path>& out) {
  std::error_code error;
  for (const std::string_view lib : {"lib", "lib64"}) {
    for (const auto& entry : fs::directory_iterator(prefix / lib, error)) {
      const std::string name = entry.path().filename().string();
      if (!name.starts_with("python3")) continue;
      for (const std::string_view leaf : {"site-packages", "dist-packages"}) {
        if (fs::is_directory(entry.path() / leaf, error)) out.push_back(entry.path() / leaf);
      }
    }
  }
}

std::set<std::string> imported_roots(const Scene& scene) {
  std::set<std::string> roots;
  for (const project::Module& module : scene.project.modules) {
    for (const project::Import& import : module.imports()) {
      const std::string_view target = module.name(import.target);
      const std::string root(target.substr(0, target.find('.')));
      const bool skip =
          root.empty() || is_standard_library(root) || scene.project.find(root) != nullptr ||
          std::find(kNotCounted.begin(), kNotCounted.end(), root) != kNotCounted.end();
      if (!skip) roots.insert(root);
    }
  }
  return roots;
}

struct Counted {
  std::size_t calls = 0, files = 0;
  std::string worst;
};

bool is_cuda_name(std::string_view name) {
  return name == ".cuda" || name == "torch.Tensor.cuda" || name == "torch.nn.Module.cuda" ||
         name.starts_with("torch.cuda.");
}

Counted count_package(const project::Project& package) {
  Counted all;
  std::size_t most = 0;
  for (const project::Module& module : package.modules) {
    std::size_t here = 0;
    for (const project::Use& use : module.uses())
      here += is_cuda_name(module.name(use.name)) ? 1 : 0;
    all.calls += here;
    all.files += here > 0 ? 1 : 0;
    if (here > most) {
      most = here;
      all.worst = module.file().path;
    }
  }
  return all;
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

Status count_installed(const Scene& scene, Part& part) {
  const std::vector<fs::path> folders = package_folders();
  Json packages = Json::object();
  for (const std::string& root : imported_roots(scene)) {
    const fs::path where = find_package(folders, root);
    if (where.empty()) continue;
    const auto package = project::open_project(where);
    if (!package) continue;
    const Counted counted = count_package(*package);
    Json one = Json::object();
    one.set("calls", counted.calls);
    one.set("files", counted.files);
    packages.set(root, std::move(one));
    if (counted.calls == 0) continue;
    diag::Finding finding{
        .code = "S047", .severity = diag::Severity::kWarning, .place = {.file = root}};
    finding.args = {{"name", root},
                    {"count", std::to_string(counted.calls)},
                    {"files", std::to_string(counted.files)},
                    {"worst", counted.worst}};
    part.findings.push_back(std::move(finding));
  }
  part.summary.set("installed", std::move(packages));
  return {};
}

}  // namespace godwit::scan
