// Installed packages: places with CUDA inside what a project imports, which its own source does not
// show.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "project/project.h"

namespace godwit::project {

/// A name of torch.cuda, or .cuda(), in an installed package.
struct InstalledPlace {
  std::string name;     // "torch.cuda.synchronize", ".cuda"
  Place place{};        // its file as a path that can be opened
  std::string snippet;  // the line
};

struct InstalledPackage {
  std::string name;  // "mmcv", as imported
  std::filesystem::path where;
  std::vector<InstalledPlace> places;  // in the order of files and lines; empty: none
};

/// Folders of the active environment that hold packages: VIRTUAL_ENV, CONDA_PREFIX, else the
/// system's. May be empty.
std::vector<std::filesystem::path> package_folders();

/// Every package that the project imports and that is installed, by name; torch and what adapts it
/// apart, which are bound to CUDA by nature and replaced as a whole.
std::vector<InstalledPackage> installed_packages(const Project& project);

}  // namespace godwit::project
