// PairMap: from a pair of small numbers to an index; asked for every identifier of a file.
#pragma once

#include <cstdint>
#include <vector>

namespace godwit::project {

inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFFu;

class PairMap {
 public:
  PairMap() : slots_(256) {}
  std::uint32_t find(std::uint32_t a, std::uint32_t b) const {
    const std::uint64_t key = (std::uint64_t{a} << 32) | b;
    for (std::size_t slot = mix(key) & (slots_.size() - 1);;
         slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot].value == kNoIndex || slots_[slot].key == key) return slots_[slot].value;
    }
  }
  void set(std::uint32_t a, std::uint32_t b, std::uint32_t value);

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t value = kNoIndex;
  };
  static std::size_t mix(std::uint64_t key) {
    key *= 0x9E3779B97F4A7C15u;
    return key ^ (key >> 32);
  }
  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace godwit::project
