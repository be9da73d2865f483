// Installed packages: CUDA calls inside what the project imports, which its own source does not
// show.
#pragma once

#include "scan/project_scan.h"

namespace godwit::scan {

/// Folders of the active environment that hold packages: VIRTUAL_ENV, CONDA_PREFIX, else the
/// system's. May be empty.
std::vector<std::filesystem::path> package_folders();

/// Adds one finding (S047) per imported package that calls CUDA, and "installed" to the summary.
Status count_installed(const Scene& scene, Part& part);

}  // namespace godwit::scan
