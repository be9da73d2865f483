// Slots: every place of a project that can hold a value (variable, parameter, attribute, dictionary
// key, return value), joined where a value can pass from one to the other.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace godwit::port {

/// What a value stands for. kHeld: it also meets what must stay as it is. kKernel: a flag, true
/// where a kernel for CUDA is to run.
enum class Meaning : std::uint8_t { kNone = 0, kDevice = 1, kBackend = 2, kHeld = 4, kKernel = 8 };

using SlotId = std::uint32_t;
inline constexpr SlotId kNoSlot = 0xFFFFFFFFu;
/// Names of the values of `return a, b, …`, each a slot of its own.
inline constexpr std::array<std::string_view, 8> kItems = {"0", "1", "2", "3", "4", "5", "6", "7"};

/// Values that can meet belong to one group. A literal may only be renamed with its whole group:
/// `device == 'cuda'` and `device = 'cuda'` change together or not at all.
class Slots {
 public:
  enum class Kind : std::uint8_t { kVariable, kAttribute, kKey, kReturn };
  struct Key {
    Kind kind = Kind::kVariable;
    std::uint32_t module = 0;  // 0 for attributes and keys: those are known by name only
    std::uint32_t scope = 0;
    std::string_view name{};  // points into the source text
    bool operator==(const Key&) const = default;
  };

  /// Made when it is new; once frozen, kNoSlot then: nothing is known of it.
  SlotId at(const Key& key);
  void join(SlotId a, SlotId b);
  /// One is an element of the other: alike in what they mean, but not the same object.
  void join_element(SlotId a, SlotId b);
  /// Something outside says what the values of this slot mean: a torch call takes it, for example.
  void mark(SlotId slot, Meaning meaning);
  bool has(SlotId slot, Meaning meaning) const;
  /// One for all slots that the same object can be in.
  SlotId whole(SlotId slot) const { return slot == kNoSlot ? kNoSlot : root(same_, slot); }
  /// The same object can be in both.
  bool are_same(SlotId a, SlotId b) const {
    return a != kNoSlot && b != kNoSlot && root(same_, a) == root(same_, b);
  }
  std::size_t size() const { return up_.size(); }
  /// Nothing is joined or marked from now on, so that threads may ask together.
  void freeze();

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  using Tree = std::vector<SlotId>;  // of each slot the one above it
  static SlotId root(Tree& up, SlotId slot);
  SlotId root(SlotId slot) const { return root(up_, slot); }

  bool is_frozen_ = false;
  std::unordered_map<Key, SlotId, Hash> ids_;
  mutable Tree up_, same_;
  std::vector<std::uint8_t> meanings_;  // bits, of roots
};

}  // namespace godwit::port
