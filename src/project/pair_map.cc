// Open addressing, doubled when half full.
#include "project/pair_map.h"

namespace godwit::project {

void PairMap::set(std::uint32_t a, std::uint32_t b, std::uint32_t value) {
  if (2 * (count_ + 1) > slots_.size()) {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& entry : old) {
      if (entry.value == kNoIndex) continue;
      std::size_t slot = mix(entry.key) & (slots_.size() - 1);
      while (slots_[slot].value != kNoIndex) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = entry;
    }
  }
  const std::uint64_t key = (std::uint64_t{a} << 32) | b;
  std::size_t slot = mix(key) & (slots_.size() - 1);
  while (slots_[slot].value != kNoIndex && slots_[slot].key != key)
    slot = (slot + 1) & (slots_.size() - 1);
  if (slots_[slot].value == kNoIndex) ++count_;
  slots_[slot] = {key, value};
}

}  // namespace godwit::project
