// A temporary file beside the target, renamed at the end.
#include "base/new_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace godwit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBuffer = 1 << 16;

}  // namespace

Result<NewFile> NewFile::open(const fs::path& path) {
  NewFile out;
  std::error_code code;
  out.path_ = path;
  out.target_ = fs::is_symlink(path, code) ? fs::weakly_canonical(path, code) : path;
  if (out.target_.empty()) return write_failure(out.path_, code ? code.value() : ENOENT);
  const fs::path folder = out.target_.parent_path();
  if (!folder.empty() && !fs::is_directory(folder, code)) {
    fs::create_directories(folder, code);
    if (code) return write_failure(out.path_, code.value());
  }
  // The mode of the file that is replaced, or the usual one.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  struct stat old {};
  const bool is_there = ::stat(out.target_.c_str(), &old) == 0;
  if (is_there && !S_ISREG(old.st_mode))
    return fail("E003", {.file = show_path(path)}, {{"path", show_path(path)}});
  if (!out.file_.make_file(folder) ||
      ::fchmod(out.file_.fd(), is_there ? old.st_mode & 0777 : 0666 & ~mask) != 0)
    return write_failure(out.path_, errno);
  return out;
}

Status NewFile::flush() {
  std::string_view left = buffer_;
  while (!left.empty()) {
    const ssize_t written = ::write(file_.fd(), left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return write_failure(path_, errno);
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
  return {};
}

Status NewFile::append(std::string_view bytes) {
  size_ += bytes.size();
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kBuffer);
    buffer_ += part;
    bytes.remove_prefix(part.size());
    if (buffer_.size() >= kBuffer) TRY(flush());
  }
  return {};
}

Status NewFile::align(std::uint64_t alignment) {
  const std::uint64_t over = size_ % alignment;
  return over ? append(std::string(static_cast<std::size_t>(alignment - over), '\0')) : Status();
}

Status NewFile::commit(Sync sync) {
  TRY(flush());
  const bool is_whole =
      (sync == Sync::kLater || ::fsync(file_.fd()) == 0) && file_.rename_to(target_);
  return is_whole ? Status() : write_failure(path_, errno);
}

}  // namespace godwit
