// Files: reading, mapping, and writing so that a reader never sees half a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace godwit {

/// Whole content. Errors: E001 not there, E002 not readable, E003 a folder or device, E004 larger
/// than `most` bytes.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::uint64_t most = std::uint64_t{1} << 32);

/// kDisk: the content is on the disk before the name appears. kLater: for the many files of a
/// folder that is made anew after a power cut; a sync each would cost more than all else.
enum class Sync : std::uint8_t { kDisk, kLater };

/// At most the first `most` bytes, to tell what a file is; empty when it is no regular file or
/// cannot be read. Never waits for a pipe or a device.
std::string read_start(const std::filesystem::path& path, std::size_t most);

/// Writes to a temporary name in the same folder, syncs and renames. Creates parent folders.
/// Errors: E005 with the reason of the operating system (full, read-only, no permission).
Status write_file(const std::filesystem::path& path, std::string_view content,
                  Sync sync = Sync::kDisk);

/// A file mapped for reading; pages are loaded when touched, nothing is copied. Files of size 0 are
/// fine. Errors as read_file.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::string_view bytes() const { return {data_, size_}; }

 private:
  MappedFile() = default;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

/// `path` as given by a user or a foreign file, for messages: always valid UTF-8.
std::string show_path(const std::filesystem::path& path);

/// A path that stays inside `folder`: rejects absolute paths and `..`. Links are resolved and must
/// stay inside too. Errors: E006 with the offending part.
Result<std::filesystem::path> inside(const std::filesystem::path& folder,
                                     std::string_view relative);

}  // namespace godwit
