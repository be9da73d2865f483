// Asks the kernel to drop clean pages, after looking that they are a file's: of other memory the
// same call would throw the contents away.
#include "base/pages.h"

#include <stdlib.h>  // which says whether this is glibc
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>

namespace godwit {
namespace {

struct Mappings {
  std::mutex mutex;
  std::map<std::uintptr_t, std::size_t> bytes;  // by address
};

Mappings& mappings() {
  static Mappings* const all = new Mappings;  // outlives the files that are closed at exit
  return *all;
}

// A touched page brings some of its neighbours along, as large as the system's pages and its
// reading ahead are; so what lies beside goes along, too, or the borders of tensors would stay.
constexpr std::uintptr_t kBeside = std::uintptr_t{1} << 23;

std::uintptr_t address(const void* data) { return reinterpret_cast<std::uintptr_t>(data); }

}  // namespace

void add_mapping(const void* data, std::size_t bytes) {
  const std::lock_guard lock(mappings().mutex);
  mappings().bytes[address(data)] = bytes;
}

void remove_mapping(const void* data) {
  const std::lock_guard lock(mappings().mutex);
  mappings().bytes.erase(address(data));
}

void give_back(const void* data, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = (address(data) + page - 1) / page * page;
  const std::uintptr_t last = (address(data) + bytes) / page * page;
  if (first >= last) return;
  const std::lock_guard lock(mappings().mutex);
  auto at = mappings().bytes.upper_bound(first);
  if (at == mappings().bytes.begin()) return;
  --at;
  const std::uintptr_t end = at->first + at->second;
  if (last > end) return;
  const std::uintptr_t from = first - std::min(kBeside, first - at->first);
  const std::uintptr_t to = last + std::min(kBeside, end - last);
  ::madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
}

void give_back_freed() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace godwit
