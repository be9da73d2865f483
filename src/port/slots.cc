// Union-find over the value places of a project.
#include "port/slots.h"

#include "base/hash.h"

namespace godwit::port {

std::size_t Slots::Hash::operator()(const Key& key) const {
  const std::uint64_t seed = std::uint64_t{key.module} << 34 ^ std::uint64_t{key.scope} << 4 ^
                             static_cast<std::uint64_t>(key.kind);
  return static_cast<std::size_t>(hash64(key.name, seed));
}

SlotId Slots::at(const Key& key) {
  if (is_frozen_) {
    const auto known = ids_.find(key);
    return known == ids_.end() ? kNoSlot : known->second;
  }
  const auto [found, is_new] = ids_.try_emplace(key, static_cast<SlotId>(up_.size()));
  if (is_new) {
    up_.push_back(found->second);
    same_.push_back(found->second);
    meanings_.push_back(0);
  }
  return found->second;
}

void Slots::freeze() {
  for (Tree* const tree : {&up_, &same_}) {
    for (SlotId slot = 0; slot < tree->size(); ++slot) (*tree)[slot] = root(*tree, slot);
  }
  is_frozen_ = true;
}

// Writes only what changes: once frozen, every path is short and threads may read together.
SlotId Slots::root(Tree& up, SlotId slot) {
  while (up[slot] != slot) {
    const SlotId above = up[up[slot]];
    if (up[slot] != above) up[slot] = above;
    slot = above;
  }
  return slot;
}

void Slots::join(SlotId a, SlotId b) {
  if (a == kNoSlot || b == kNoSlot) return;
  same_[root(same_, b)] = root(same_, a);
  join_element(a, b);
}

void Slots::join_element(SlotId a, SlotId b) {
  if (a == kNoSlot || b == kNoSlot) return;
  a = root(a), b = root(b);
  if (a == b) return;
  up_[b] = a;
  meanings_[a] |= meanings_[b];
}

void Slots::mark(SlotId slot, Meaning meaning) {
  if (slot != kNoSlot) meanings_[root(slot)] |= static_cast<std::uint8_t>(meaning);
}

bool Slots::has(SlotId slot, Meaning meaning) const {
  return slot != kNoSlot && (meanings_[root(slot)] & static_cast<std::uint8_t>(meaning)) != 0;
}

}  // namespace godwit::port
