// Files that are written piece by piece and appear only when they are whole.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"

namespace godwit {

/// What `write_file` does, for content that is larger than memory. Until `commit` the old file of
/// that name stays as it is; a NewFile that goes away before leaves nothing behind.
class NewFile {
 public:
  /// Creates parent folders. Errors: E005.
  static Result<NewFile> open(const std::filesystem::path& path);
  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&& other) = delete;
  ~NewFile();

  Status append(std::string_view bytes);
  /// Zeros up to a multiple of `alignment`.
  Status align(std::uint64_t alignment);
  std::uint64_t size() const { return size_; }
  Status commit(Sync sync = Sync::kDisk);

 private:
  NewFile() = default;
  Status flush();
  Status failure(int code) const;

  std::filesystem::path path_;    // as asked for, for messages
  std::filesystem::path target_;  // behind links
  std::string temporary_;
  std::string buffer_;
  std::uint64_t size_ = 0;
  int fd_ = -1;
};

}  // namespace godwit
