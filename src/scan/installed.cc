// Counting CUDA-bound places in the packages of the active environment.
#include "scan/installed.h"

#include <map>

#include "project/installed.h"

namespace godwit::scan {
namespace {

struct Places {
  std::size_t files = 0;
  std::string worst;  // the file with most places, below the package
};

Places count_files(const project::InstalledPackage& package) {
  std::map<std::string, std::size_t> counts;
  for (const project::InstalledPlace& each : package.places) ++counts[each.place.file];
  Places all{.files = counts.size()};
  std::size_t most = 0;
  for (const auto& [file, count] : counts) {
    if (count <= most) continue;
    most = count;
    all.worst = std::filesystem::path(file).lexically_relative(package.where).string();
    if (all.worst == ".") all.worst = package.where.filename().string();
  }
  return all;
}

}  // namespace

Status count_installed(const Scene& scene, Part& part) {
  Json packages = Json::object();
  for (const project::InstalledPackage& package : project::installed_packages(scene.project)) {
    const Places counted = count_files(package);
    Json one = Json::object();
    one.set("calls", package.places.size());
    one.set("files", counted.files);
    packages.set(package.name, std::move(one));
    if (package.places.empty()) continue;
    diag::Finding finding{
        .code = "S047", .severity = diag::Severity::kWarning, .place = {.file = package.name}};
    finding.args = {{"name", package.name},
                    {"count", std::to_string(package.places.size())},
                    {"files", std::to_string(counted.files)},
                    {"worst", counted.worst}};
    part.findings.push_back(std::move(finding));
  }
  part.summary.set("installed", std::move(packages));
  return {};
}

}  // namespace godwit::scan
