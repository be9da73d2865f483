// Slots: every place of a project that can hold a value (variable, parameter, attribute, dictionary
// key, return value), joined where a value can pass from one to the other.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace godwit::port {

/// What the text of a value stands for. kHeld: it also meets a module that must stay as it is.
enum class Meaning : std::uint8_t { kNone = 0, kDevice = 1, kBackend = 2, kHeld = 4 };

using SlotId = std::uint32_t;
inline constexpr SlotId kNoSlot = 0xFFFFFFFFu;

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

  SlotId at(const Key& key);
  void join(SlotId a, SlotId b);
  /// Something outside says what the values of this slot mean: a torch call takes it, for example.
  void mark(SlotId slot, Meaning meaning);
  bool has(SlotId slot, Meaning meaning) const;
  std::size_t size() const { return up_.size(); }

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  SlotId root(SlotId slot) const;

  std::unordered_map<Key, SlotId, Hash> ids_;
  mutable std::vector<SlotId> up_;
  std::vector<std::uint8_t> meanings_;  // bits, of roots
};

}  // namespace godwit::port
