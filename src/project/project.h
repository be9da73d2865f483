// Project: all Python modules of a folder, read in parallel, with imports resolved across files.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/progress.h"
#include "project/files.h"
#include "project/module.h"

namespace godwit::project {

struct Project {
  Listing listing;
  std::vector<Module> modules;  // Python files and notebooks, sorted by path
  std::unordered_map<std::string_view, std::uint32_t> by_dotted;  // what find() looks up
  std::vector<Error> unreadable;  // files that could not become a module, each with its place

  /// The module of a dotted name ("models.net"), or null.
  const Module* find(std::string_view dotted) const;
};

struct OpenOptions {
  ListOptions list{};
  Progress* progress = nullptr;
};

/// Parses on all cores. Names that a project module re-exports (`from .layers import Conv` where
/// layers does `from torch.nn import Conv2d as Conv`) are resolved to their origin; names of the
/// project itself start with its own dotted path. Errors: as list_files.
Result<Project> open_project(const std::filesystem::path& root, const OpenOptions& options = {});

}  // namespace godwit::project
