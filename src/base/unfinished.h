// Files and folders that are being written: under a name that tells so, beside their place, and
// gone again however the program ends.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace godwit {

/// A new file or folder named ".godwit-XXXXXX". It goes away with this object, and with a signal
/// that ends the program; what a killed program left is cleared by the next one that writes into
/// the same folder, which knows it by its name and by the lock that nobody holds any more.
class Unfinished {
 public:
  Unfinished() = default;
  Unfinished(Unfinished&& other) noexcept;
  Unfinished& operator=(Unfinished&& other) noexcept;
  ~Unfinished() { drop(); }

  /// Makes it in `folder`; false with errno set when that cannot be.
  bool make_file(const std::filesystem::path& folder);
  bool make_folder(const std::filesystem::path& folder);

  bool is_open() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  const std::string& path() const { return path_; }
  /// Gives it its name, in place of a file, or of an empty folder; false with errno set.
  bool rename_to(const std::filesystem::path& place);
  /// Changes places with the folder `place`, which is then the unfinished one; false with errno
  /// set, as where the system cannot do it.
  bool exchange_with(const std::filesystem::path& place);
  /// Removes it and what it holds.
  void drop();

 private:
  void watch();
  void release();

  std::string path_;
  int fd_ = -1;
  int slot_ = -1;
};

/// Why `path` could not be written: E039 when the disk is full, else E005.
tl::unexpected<Error> write_failure(const std::filesystem::path& path, int code);

/// Whether `name` is one that an Unfinished has.
bool is_unfinished_name(const std::string& name);

/// Removes all that is unfinished. For handlers of signals: no memory, no locks, no streams.
void remove_unfinished() noexcept;

}  // namespace godwit
