// Growth of the tables of names, and the memory of joined ones.
#include "project/names.h"

#include <algorithm>

namespace godwit::project {
namespace {

constexpr std::size_t kFirstChunk = 256, kLargestChunk = 4096;

}  // namespace

std::string_view Names::keep(std::string_view text) {
  if (text.size() > room_) {
    const std::size_t usual = kFirstChunk << std::min<std::size_t>(chunks_.size(), 8);
    room_ = std::max(std::min(usual, kLargestChunk), text.size());
    free_ = chunks_.emplace_back(std::make_unique_for_overwrite<char[]>(room_)).get();
  }
  char* const at = free_;
  std::copy(text.begin(), text.end(), at);
  free_ += text.size();
  room_ -= text.size();
  return {at, text.size()};
}

void Names::grow() {
  slots_.assign(slots_.size() * 2, kNoName);
  for (NameId id = 0; id < views_.size(); ++id) {
    std::size_t slot = hash(views_[id]) & (slots_.size() - 1);
    while (slots_[slot] != kNoName) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = id;
  }
}

NameId Names::find(std::string_view text) const {
  const std::uint64_t hashed = hash(text);
  std::size_t slot = hashed & (slots_.size() - 1);
  for (; slots_[slot] != kNoName; slot = (slot + 1) & (slots_.size() - 1)) {
    if (views_[slots_[slot]] == text) return slots_[slot];
  }
  return kNoName;
}

NameId Names::join(NameId base, NameId word) {
  const std::uint64_t key = (std::uint64_t{base} << 32) | word;
  if (2 * (joined_count_ + 1) > joined_.size()) {
    std::vector<Joined> old(joined_.empty() ? 256 : joined_.size() * 2);
    old.swap(joined_);
    for (const Joined& entry : old) {
      if (entry.id == kNoName) continue;
      std::size_t slot = (entry.key * 0x9E3779B97F4A7C15u >> 20) & (joined_.size() - 1);
      while (joined_[slot].id != kNoName) slot = (slot + 1) & (joined_.size() - 1);
      joined_[slot] = entry;
    }
  }
  std::size_t slot = (key * 0x9E3779B97F4A7C15u >> 20) & (joined_.size() - 1);
  for (; joined_[slot].id != kNoName; slot = (slot + 1) & (joined_.size() - 1)) {
    if (joined_[slot].key == key) return joined_[slot].id;
  }
  std::string text;
  text.reserve(views_[base].size() + 1 + views_[word].size());
  text.append(views_[base]).append(1, '.').append(views_[word]);
  const NameId id = add_copy(text);
  joined_[slot] = {key, id};
  ++joined_count_;
  return id;
}

}  // namespace godwit::project
