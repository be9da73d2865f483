// Digests: SHA-256 of files, in parallel; a large file is read again only where it may have
// changed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace godwit::dossier {

/// SHA-256 of one file; of a symbolic link, that of its target's name; empty when it cannot be
/// read.
std::string digest_file(const std::filesystem::path& path);

/// Digests of many files, with a record of large ones. A recorded digest is trusted when size,
/// inode, modification and change time are the same, the last change lies two seconds or more
/// before the record was made (a later write within the clock's grain would be invisible), and a
/// hash of three samples agrees. The change time is the kernel's own: programs cannot set it.
class Digests {
 public:
  static constexpr std::uint64_t kAlwaysHashedBelow = 256 * 1024;

  /// A record that is missing or damaged counts as empty.
  explicit Digests(const std::filesystem::path& record);

  /// One digest per name (relative to root), in order; empty: not readable.
  std::vector<std::string> of(const std::filesystem::path& root,
                              std::span<const std::string> names);

  /// Writes the record of the large files that were asked for. Errors: E005.
  Status save(const std::filesystem::path& record) const;

  std::size_t hashed() const { return hashed_; }  // files that were read whole, for tests

  struct Seen {
    std::uint64_t bytes = 0, inode = 0;
    std::int64_t modified = 0, changed = 0, recorded = 0;  // nanoseconds
    std::string sha256{}, probe{};
    bool operator==(const Seen&) const = default;
  };

 private:
  std::map<std::string, Seen, std::less<>> known_, asked_;
  std::size_t hashed_ = 0;
};

}  // namespace godwit::dossier
