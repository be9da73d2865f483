// Windows scripts: batch and PowerShell files that speak of CUDA. CANN runs on Linux only, so they
// are not edited but said.
#pragma once

#include <vector>

#include "diag/finding.h"
#include "project/files.h"

namespace godwit::port {

/// One finding (P062) per line of such files that names CUDA, NCCL or a program of NVIDIA.
void add_windows_scripts(const project::Listing& listing, std::vector<diag::Finding>& left);

}  // namespace godwit::port
