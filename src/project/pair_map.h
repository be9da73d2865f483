// PairMap: from a pair of small numbers to an index; asked for every identifier of a file.
#pragma once

#include <cstdint>
#include <vector>

namespace godwit::project {

inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFFu;

class PairMap {
 public:
  PairMap() : slots_(32) {}
  std::uint32_t find(std::uint32_t a, std::uint32_t b) const {
    for (std::size_t slot = mix(a, b) & (slots_.size() - 1);;
         slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot].value == kNoIndex || slots_[slot].is(a, b)) return slots_[slot].value;
    }
  }
  void set(std::uint32_t a, std::uint32_t b, std::uint32_t value);

 private:
  struct Slot {
    std::uint32_t a = 0, b = 0;
    std::uint32_t value = kNoIndex;
    bool is(std::uint32_t first, std::uint32_t second) const { return a == first && b == second; }
  };
  static std::size_t mix(std::uint32_t a, std::uint32_t b) {
    std::uint64_t key = (std::uint64_t{a} << 32) | b;
    key *= 0x9E3779B97F4A7C15u;
    return key ^ (key >> 32);
  }
  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace godwit::project
