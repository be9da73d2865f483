// Files that are written piece by piece and appear only when they are whole.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"
#include "base/unfinished.h"

namespace godwit {

/// What `write_file` does, for content that is larger than memory. Until `commit` the old file of
/// that name stays as it is; a NewFile that goes away before leaves nothing behind.
class NewFile {
 public:
  /// Creates parent folders. Errors: E005, E003 when a device or folder has that name.
  static Result<NewFile> open(const std::filesystem::path& path);

  Status append(std::string_view bytes);
  /// Zeros up to a multiple of `alignment`.
  Status align(std::uint64_t alignment);
  std::uint64_t size() const { return size_; }
  Status commit(Sync sync = Sync::kDisk);

 private:
  NewFile() = default;
  Status flush();

  std::filesystem::path path_;    // as asked for, for messages
  std::filesystem::path target_;  // behind links
  Unfinished file_;
  std::string buffer_;
  std::uint64_t size_ = 0;
};

}  // namespace godwit
