// A lock on each tells the living from the left; a table of fixed size is what handlers read.
#include "base/unfinished.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/file.h"

namespace godwit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStart = ".godwit-";
constexpr std::size_t kRandom = 6;

// As many as threads write at once, with room; one that finds no slot is left to the next program.
struct Slot {
  std::atomic<bool> taken{false};
  std::atomic<bool> filled{false};
  std::array<char, PATH_MAX> path;
};
std::array<Slot, 128> slots;

struct Entry {  // as the kernel gives it (man 2 getdents64)
  std::uint64_t inode;
  std::int64_t next;
  unsigned short length;
  unsigned char type;
  char name[1];
};

// nftw and opendir take memory, which a handler of signals must not.
void empty(int folder, int depth) noexcept {
  constexpr int kDeepest = 64;
  alignas(Entry) std::array<char, 2048> buffer;
  for (long got; (got = ::syscall(SYS_getdents64, folder, buffer.data(), buffer.size())) > 0;) {
    for (long at = 0; at < got;) {
      const auto* const entry = reinterpret_cast<const Entry*>(buffer.data() + at);
      at += entry->length;
      const char* const name = buffer.data() + (entry->name - buffer.data());
      if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) continue;
      if (::unlinkat(folder, name, 0) == 0 || depth == kDeepest) continue;
      const int inner = ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (inner < 0) continue;
      empty(inner, depth + 1);
      ::close(inner);
      ::unlinkat(folder, name, AT_REMOVEDIR);
    }
  }
}

void remove_all(const char* path) noexcept {
  if (::unlink(path) == 0 || errno == ENOENT) return;
  const int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return;
  // Entries that go while they are listed may hide others: once more until none is left.
  for (int pass = 0; pass < 8 && ::rmdir(path) != 0 && errno == ENOTEMPTY; ++pass) {
    ::lseek(folder, 0, SEEK_SET);
    empty(folder, 0);
  }
  ::close(folder);
}

// Whoever made it holds its lock while it lives. Where the file system has no locks, age decides.
bool is_left(const fs::path& path) {
  constexpr std::time_t kMaking = 10;  // seconds from the name to the lock, with room
  constexpr std::time_t kOld = 3600;   // no write takes that long
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || status.st_uid != ::geteuid()) return false;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return false;
  const std::time_t age = std::time(nullptr) - status.st_mtime;
  if (age >= 0 && age < kMaking) return false;
  const int fd = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return age > kOld;
  const bool is_free = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
  const bool has_locks = is_free || errno == EWOULDBLOCK;
  ::close(fd);
  return has_locks ? is_free : age > kOld;
}

// Looked for once per folder and program.
void clear_left(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<std::string> cleared;
  {
    const std::lock_guard lock(mutex);
    if (!cleared.insert(folder.string()).second) return;
  }
  std::error_code code;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    if (is_unfinished_name(at->path().filename().string()) && is_left(at->path()))
      remove_all(at->path().c_str());
  }
}

std::string pattern_in(const fs::path& folder) {
  clear_left(folder.empty() ? fs::path(".") : folder);
  return (folder / (std::string(kStart) + std::string(kRandom, 'X'))).string();
}

}  // namespace

tl::unexpected<Error> write_failure(const fs::path& path, int code) {
  if (code == ENOSPC || code == EDQUOT)
    return fail("E039", {.file = show_path(path)}, {{"path", show_path(path)}});
  return fail("E005", {.file = show_path(path)},
              {{"path", show_path(path)}, {"reason", std::generic_category().message(code)}});
}

bool is_unfinished_name(const std::string& name) {
  return name.size() == kStart.size() + kRandom && name.compare(0, kStart.size(), kStart) == 0;
}

void remove_unfinished() noexcept {
  for (Slot& slot : slots) {
    if (slot.filled.load(std::memory_order_acquire)) remove_all(slot.path.data());
  }
}

Unfinished::Unfinished(Unfinished&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)),
      slot_(std::exchange(other.slot_, -1)) {}

Unfinished& Unfinished::operator=(Unfinished&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  std::swap(slot_, other.slot_);
  return *this;
}

bool Unfinished::make_file(const fs::path& folder) {
  path_ = pattern_in(folder);
  fd_ = ::mkostemp(path_.data(), O_CLOEXEC);
  if (fd_ >= 0) watch();
  return fd_ >= 0;
}

bool Unfinished::make_folder(const fs::path& folder) {
  path_ = pattern_in(folder);
  if (::mkdtemp(path_.data()) == nullptr) return false;
  fd_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int code = errno;
  if (fd_ < 0) ::rmdir(path_.c_str());
  if (fd_ >= 0) watch();
  errno = code;
  return fd_ >= 0;
}

void Unfinished::watch() {
  ::flock(fd_, LOCK_EX | LOCK_NB);  // where there are no locks, age will tell
  if (path_.size() >= PATH_MAX) return;
  for (std::size_t i = 0; i < slots.size() && slot_ < 0; ++i) {
    if (slots[i].taken.exchange(true, std::memory_order_acquire)) continue;
    std::memcpy(slots[i].path.data(), path_.c_str(), path_.size() + 1);
    slots[i].filled.store(true, std::memory_order_release);
    slot_ = static_cast<int>(i);
  }
}

void Unfinished::release() {
  if (slot_ >= 0) {
    Slot& slot = slots[static_cast<std::size_t>(std::exchange(slot_, -1))];
    slot.filled.store(false, std::memory_order_release);
    slot.taken.store(false, std::memory_order_release);
  }
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

bool Unfinished::rename_to(const fs::path& place) {
  if (std::rename(path_.c_str(), place.c_str()) != 0) return false;
  release();
  return true;
}

bool Unfinished::exchange_with(const fs::path& place) {
  constexpr unsigned kExchange = 2;  // RENAME_EXCHANGE; older C libraries have no renameat2
  return ::syscall(SYS_renameat2, AT_FDCWD, path_.c_str(), AT_FDCWD, place.c_str(), kExchange) == 0;
}

void Unfinished::drop() {
  std::error_code ignored;
  if (fd_ >= 0) fs::remove_all(path_, ignored);
  release();
}

}  // namespace godwit
