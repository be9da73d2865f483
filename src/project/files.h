// Files of a project: what is there, of which kind, what is left out and why.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace godwit::project {

enum class FileKind : std::uint8_t {
  kPython,
  kNotebook,
  kShell,
  kYaml,
  kJson,
  kToml,
  kRequirements,
  kMarkdown,
  kDockerfile,
  kMakefile,
  kCuda,
  kCpp,
  kOnnx,
  kOther,
};

struct File {
  std::string path;  // relative to the root, '/' between parts
  FileKind kind = FileKind::kOther;
  std::uint64_t bytes = 0;
};

struct Listing {
  std::filesystem::path root;
  std::vector<File> files;      // sorted by path
  std::vector<Error> left_out;  // unreadable, too large, link loops: each with its place
};

struct ListOptions {
  std::vector<std::string>
      exclude{};  // globs as in .gitignore: "build/", "*.min.py", "third_party/**"
  std::uint64_t most_bytes = std::uint64_t{64} << 20;
};

/// Walks without following links out of the root, skips .git, __pycache__, virtual environments,
/// node_modules and build folders of ours. `root` may be one file. Errors: E065 nothing there, E003
/// a device or a pipe.
Result<Listing> list_files(const std::filesystem::path& root, const ListOptions& options = {});

}  // namespace godwit::project
