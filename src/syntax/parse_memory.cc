// A region of addresses per thread, backed by memory as far as a parse needs it; freed blocks are
// kept by size and used again while they are in the cache.
#include "syntax/parse_memory.h"

#include <sys/mman.h>
#include <tree_sitter/api.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/memory.h"

namespace godwit::syntax {
namespace {

constexpr std::size_t kReserved = std::size_t{8} << 30;  // addresses, not memory
constexpr std::size_t kStep = std::size_t{4} << 20;      // made usable at a time
constexpr std::size_t kKept = std::size_t{16} << 20;     // stays with the thread between files
constexpr std::size_t kHeader = sizeof(std::size_t);     // size of the block, before it
constexpr std::size_t kUnit = 16;                        // alignment of blocks
constexpr std::size_t kClasses = 128;                    // sizes that are kept when freed

class Region {
 public:
  Region() {
    void* const got =
        ::mmap(nullptr, kReserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got != MAP_FAILED) base_ = static_cast<char*>(got);
    forget();
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region() {
    if (base_ != nullptr) ::munmap(base_, kReserved);
  }

  bool owns(const void* block) const {
    const auto offset =
        reinterpret_cast<std::uintptr_t>(block) - reinterpret_cast<std::uintptr_t>(base_);
    return base_ != nullptr && offset < kReserved;
  }

  void* allocate(std::size_t bytes) {
    const std::size_t whole = (bytes + kHeader + kUnit - 1) / kUnit * kUnit;
    const std::size_t size_class = whole / kUnit;
    if (size_class < kClasses && freed_[size_class] != nullptr) {
      void* const block = freed_[size_class];
      std::memcpy(&freed_[size_class], block, sizeof(void*));
      return block;
    }
    if (used_ + whole > usable_ && !extend(whole)) {
      holds_all = false;
      return std::malloc(bytes);
    }
    char* const block = base_ + used_ + kHeader;
    std::memcpy(block - kHeader, &whole, kHeader);
    used_ += whole;
    return block;
  }

  void release(void* block) {
    const std::size_t size_class = size_of(block) / kUnit;
    if (size_class >= kClasses) return;  // few, and all end with the parse
    std::memcpy(block, &freed_[size_class], sizeof(void*));
    freed_[size_class] = block;
  }

  void* resize(void* block, std::size_t bytes) {
    const std::size_t room = size_of(block) - kHeader;
    if (bytes <= room) return block;
    void* const larger = allocate(bytes);
    if (larger == nullptr) return nullptr;
    std::memcpy(larger, block, room);
    release(block);
    return larger;
  }

  void forget() {
    if (usable_ > kKept) ::madvise(base_ + kKept, usable_ - kKept, MADV_DONTNEED);
    used_ = base_ == nullptr ? 0 : kUnit - kHeader;  // so that blocks are aligned
    freed_.fill(nullptr);
    holds_all = true;
  }

  bool holds_all = true;

 private:
  static std::size_t size_of(const void* block) {
    std::size_t whole;
    std::memcpy(&whole, static_cast<const char*>(block) - kHeader, kHeader);
    return whole;
  }

  bool extend(std::size_t whole) {
    if (base_ == nullptr || whole > kReserved - used_) return false;
    const std::size_t wanted = (used_ + whole + kStep - 1) / kStep * kStep;
    const std::size_t end = std::min(std::max(wanted, usable_ + usable_ / 4), kReserved);
    const std::size_t aligned = end / kStep * kStep;
    if (aligned < used_ + whole) return false;
    if (::mprotect(base_ + usable_, aligned - usable_, PROT_READ | PROT_WRITE) != 0) return false;
    usable_ = aligned;
    return true;
  }

  char* base_ = nullptr;
  std::size_t used_ = 0, usable_ = 0;
  std::array<void*, kClasses> freed_{};
};

thread_local constinit Region* current = nullptr;

Region& region_of_thread() {
  thread_local Region region;
  return region;
}

// tree-sitter does not look whether it got what it asked for.
void* checked(void* block, std::size_t bytes) {
  if (block == nullptr && bytes > 0) out_of_memory();
  return block;
}

void* allocate(std::size_t bytes) {
  return checked(current != nullptr ? current->allocate(bytes) : std::malloc(bytes), bytes);
}

void* allocate_zeros(std::size_t count, std::size_t bytes) {
  if (current == nullptr) return checked(std::calloc(count, bytes), count * bytes);
  void* const block = allocate(count * bytes);  // sizes of its own structures: no overflow
  std::memset(block, 0, count * bytes);
  return block;
}

void release(void* block) {
  if (current != nullptr && current->owns(block)) return current->release(block);
  std::free(block);
}

void* resize(void* block, std::size_t bytes) {
  if (current == nullptr) return checked(std::realloc(block, bytes), bytes);
  if (block == nullptr) return allocate(bytes);
  if (current->owns(block)) return checked(current->resize(block, bytes), bytes);
  return checked(std::realloc(block, bytes), bytes);
}

}  // namespace

void install_parse_memory() { ts_set_allocator(allocate, allocate_zeros, resize, release); }

ParseMemory::ParseMemory() { current = &region_of_thread(); }

ParseMemory::~ParseMemory() {
  current->forget();
  current = nullptr;
}

bool ParseMemory::holds_all() const { return current->holds_all; }

}  // namespace godwit::syntax
