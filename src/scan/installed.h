// Installed packages: CUDA calls inside what the project imports, which its own source does not
// show.
#pragma once

#include "scan/project_scan.h"

namespace godwit::scan {

/// Adds one finding (S047) per imported package that calls CUDA, and "installed" to the summary.
Status count_installed(const Scene& scene, Part& part);

}  // namespace godwit::scan
