// Open addressing, doubled when half full.
#include "project/pair_map.h"

namespace godwit::project {

void PairMap::set(std::uint32_t a, std::uint32_t b, std::uint32_t value) {
  if (2 * (count_ + 1) > slots_.size()) {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& entry : old) {
      if (entry.value == kNoIndex) continue;
      std::size_t slot = mix(entry.a, entry.b) & (slots_.size() - 1);
      while (slots_[slot].value != kNoIndex) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = entry;
    }
  }
  std::size_t slot = mix(a, b) & (slots_.size() - 1);
  while (slots_[slot].value != kNoIndex && !slots_[slot].is(a, b))
    slot = (slot + 1) & (slots_.size() - 1);
  if (slots_[slot].value == kNoIndex) ++count_;
  slots_[slot] = {a, b, value};
}

}  // namespace godwit::project
