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

constexpr std::size_t kHugePage = std::size_t{1} << 21;

std::size_t page_size() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + page_size() - 1) / page_size() * page_size();
}

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
  const std::uintptr_t page = page_size();
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

void give_back_mapped() {
  const std::lock_guard lock(mappings().mutex);
  for (const auto& [start, bytes] : mappings().bytes)
    ::madvise(reinterpret_cast<void*>(start), bytes, MADV_DONTNEED);
}

void prefer_huge_pages(void* data, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  const std::uintptr_t from = (address(data) + kHugePage - 1) / kHugePage * kHugePage;
  const std::uintptr_t to = (address(data) + bytes) / kHugePage * kHugePage;
  if (from < to) ::madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);
#endif
}

void* take_pages(std::size_t bytes) {
  // A huge page has to start at a multiple of its size: what stands out on either side goes back.
  const std::size_t beside = bytes < kHugePage ? 0 : kHugePage;
  void* const all =
      ::mmap(nullptr, bytes + beside, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  if (beside == 0) return all;
  const std::uintptr_t from = address(all), to = from + bytes + beside;
  const std::uintptr_t start = (from + kHugePage - 1) / kHugePage * kHugePage;
  const std::uintptr_t end = start + whole_pages(bytes);
  if (start != from) ::munmap(all, start - from);
  if (end < to) ::munmap(reinterpret_cast<void*>(end), to - end);
  void* const pages = reinterpret_cast<void*>(start);
  prefer_huge_pages(pages, bytes);
  return pages;
}

void return_pages(void* data, std::size_t bytes) { ::munmap(data, whole_pages(bytes)); }

void give_back_freed() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace godwit
