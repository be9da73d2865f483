// Subject: what is migrated, told by content: a PyTorch project, ONNX models, configurations of a
// checkpoint, or a folder that holds several of them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dossier/digests.h"
#include "project/files.h"

namespace godwit::dossier {

/// A file of the subject. Files that no stage can read (weights, images, data sets) have no digest:
/// they count by name, size and modification time.
struct Input {
  project::File file;
  std::string sha256{};
  std::int64_t modified = 0;  // nanoseconds, where there is no digest
};

struct Subject {
  std::filesystem::path path;  // as given
  std::string name;            // last part of the absolute path: names the dossier
  bool is_file = false;
  std::vector<std::string> kinds;  // "project", "onnx", "checkpoint"; at least one
  std::vector<Input> inputs;       // sorted by path; the path of a single file is its name

  bool has(std::string_view kind) const;
  /// Full path of an input.
  std::filesystem::path locate(const Input& input) const;
  /// A file as inputs name it, when it lies in the subject; else as it is. Dossiers travel, so what
  /// stages say must not depend on where the subject was.
  std::string relative(std::string_view file) const;
};

/// Errors: those of project::list_files; E091 nothing in `path` that could be migrated.
Result<Subject> open_subject(const std::filesystem::path& path, Digests& digests);

/// "weights", "model", "proj" for "proj/", "." and the like.
std::string subject_name(const std::filesystem::path& path);

}  // namespace godwit::dossier
