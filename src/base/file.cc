// File access over POSIX calls; std::filesystem only with error codes, so nothing throws.
#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "base/pages.h"
#include "base/text.h"
#include "base/unfinished.h"

namespace godwit {
namespace fs = std::filesystem;
namespace {

// Closes on every way out.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

std::string reason(int code) { return std::strerror(code); }

struct Opened {
  std::unique_ptr<Descriptor> file;
  std::uint64_t bytes = 0;
};

Result<Opened> open_for_reading(const fs::path& path) {
  // O_NONBLOCK: a pipe or device named by mistake must not hang us; it is refused below.
  auto file = std::make_unique<Descriptor>(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file->get() < 0) {
    const int code = errno;
    return fail(code == ENOENT || code == ENOTDIR ? "E001" : "E002", {.file = show_path(path)},
                {{"path", show_path(path)}, {"reason", reason(code)}});
  }
  struct stat status {};
  if (::fstat(file->get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return fail("E003", {.file = show_path(path)}, {{"path", show_path(path)}});
  }
  return Opened{std::move(file), static_cast<std::uint64_t>(status.st_size)};
}

bool write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(fd, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<std::string> read_file(const fs::path& path, std::uint64_t most) {
  ASSIGN(const Opened opened, open_for_reading(path));
  const auto too_large = [&](std::uint64_t bytes) {
    return fail("E004", {.file = show_path(path)},
                {{"path", show_path(path)},
                 {"bytes", with_thousands(bytes)},
                 {"most", with_thousands(most)}});
  };
  if (opened.bytes > most) return too_large(opened.bytes);
  // One byte more than is expected, so that the end is met without growing. The size is a hint
  // only: files of /proc say 0, others grow while we read.
  std::string content(opened.bytes + 1, '\0');
  std::size_t used = 0;
  for (;;) {
    if (used == content.size()) content.resize(used + 4096);
    const ssize_t got = ::read(opened.file->get(), content.data() + used, content.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return fail("E002", {.file = show_path(path)},
                  {{"path", show_path(path)}, {"reason", reason(errno)}});
    }
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used > most) return too_large(used);
  }
  content.resize(used);
  return content;
}

std::string read_start(const fs::path& path, std::size_t most) {
  const auto opened = open_for_reading(path);
  if (!opened) return {};
  std::string start(most, '\0');
  const ssize_t got = ::read(opened->file->get(), start.data(), start.size());
  start.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return start;
}

namespace {

// Devices and pipes take the bytes as they come; a folder does not.
Status write_through(const fs::path& path, std::string_view content, const fs::path& shown) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0 || !write_all(file.get(), content)) return write_failure(shown, errno);
  return {};
}

// The owner and mode of the file that is replaced, or the usual ones for a new file. Who may not
// give files away keeps the mode only, without the bits that lend the owner's rights.
bool take_over(int file, const struct stat* old) {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (!old) return ::fchmod(file, 0666 & ~mask) == 0;
  struct stat made {};
  if (::fstat(file, &made) != 0) return false;
  const bool is_same = made.st_uid == old->st_uid && made.st_gid == old->st_gid;
  const bool is_owned = is_same || ::fchown(file, old->st_uid, old->st_gid) == 0;
  return ::fchmod(file, old->st_mode & (is_owned ? 07777 : 0777)) == 0;
}

// The temporary name is short, so that any name that the folder takes can be written.
Status replace(const fs::path& path, std::string_view content, Sync sync, const struct stat* old,
               const fs::path& shown) {
  Unfinished file;
  const bool written = file.make_file(path.parent_path()) && write_all(file.fd(), content) &&
                       take_over(file.fd(), old) &&
                       (sync == Sync::kLater || ::fsync(file.fd()) == 0) && file.rename_to(path);
  return written ? Status() : write_failure(shown, errno);
}

}  // namespace

Status write_file(const fs::path& path, std::string_view content, Sync sync) {
  std::error_code code;
  // A link stays a link: what it points to is replaced.
  const fs::path target = fs::is_symlink(path, code) ? fs::weakly_canonical(path, code) : path;
  if (target.empty()) return write_failure(path, code ? code.value() : ENOENT);
  if (target.has_parent_path() && !fs::is_directory(target.parent_path(), code)) {
    fs::create_directories(target.parent_path(), code);
    if (code) return write_failure(path, code.value());
  }
  struct stat old {};
  if (::stat(target.c_str(), &old) != 0) return replace(target, content, sync, nullptr, path);
  if (!S_ISREG(old.st_mode)) return write_through(target, content, path);
  return replace(target, content, sync, &old, path);
}

Result<MappedFile> MappedFile::open(const fs::path& path) {
  ASSIGN(const Opened opened, open_for_reading(path));
  MappedFile mapped;
  if (opened.bytes == 0) return mapped;
  void* const data = ::mmap(nullptr, opened.bytes, PROT_READ, MAP_PRIVATE, opened.file->get(), 0);
  if (data == MAP_FAILED) {
    return fail("E002", {.file = show_path(path)},
                {{"path", show_path(path)}, {"reason", reason(errno)}});
  }
  mapped.data_ = static_cast<const char*>(data);
  mapped.size_ = opened.bytes;
  add_mapping(data, opened.bytes);
  return mapped;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (!data_) return;
  remove_mapping(data_);
  ::munmap(const_cast<char*>(data_), size_);
}

std::string show_path(const fs::path& path) { return to_valid_utf8(path.generic_string()); }

Result<fs::path> inside(const fs::path& folder, std::string_view relative) {
  const fs::path part{std::string(relative)};
  const auto escapes = [&] {
    return fail("E006", {.file = show_path(folder)},
                {{"path", to_valid_utf8(relative)}, {"folder", show_path(folder)}});
  };
  if (relative.empty() || contains(relative, std::string_view("\0", 1)) || part.is_absolute()) {
    return escapes();
  }
  for (const fs::path& step : part) {
    if (step == "..") return escapes();
  }
  std::error_code code;
  const fs::path root = fs::weakly_canonical(folder, code);
  const fs::path full = fs::weakly_canonical(folder / part, code);
  const auto [root_end, _] = std::mismatch(root.begin(), root.end(), full.begin(), full.end());
  if (code || root_end != root.end()) return escapes();
  return folder / part;
}

}  // namespace godwit
