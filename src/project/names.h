// Names: the words and dotted names of one module, each with a number; no text is stored twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace godwit::project {

using NameId = std::uint32_t;
inline constexpr NameId kNoName = 0xFFFFFFFFu;

class Names {
 public:
  Names() : slots_(256, kNoName) {}

  /// `text` must outlive the names: it is a piece of the source.
  NameId add_view(std::string_view text) {
    return add(text, [&] { return text; });
  }
  NameId add_copy(std::string_view text) {
    return add(text, [&] { return keep(text); });
  }
  /// The number of "base.word".
  NameId join(NameId base, NameId word);

  /// kNoName when the text has none.
  NameId find(std::string_view text) const;

  std::string_view operator[](NameId id) const { return views_[id]; }
  const std::vector<std::string_view>& all() const { return views_; }

 private:
  struct Joined {
    std::uint64_t key = ~std::uint64_t{0};
    NameId id = kNoName;
  };

  // Words are short: eight bytes at a time, then a multiplication to mix.
  static std::uint64_t hash(std::string_view text) {
    std::uint64_t state = text.size() * 0x9E3779B97F4A7C15u;
    const char* at = text.data();
    std::size_t left = text.size();
    for (; left >= 8; left -= 8, at += 8) {
      std::uint64_t word;
      std::memcpy(&word, at, 8);
      state = (state ^ word) * 0xD6E8FEB86659FD93u;
      state ^= state >> 32;
    }
    std::uint64_t rest = 0;
    if (left > 0) std::memcpy(&rest, at, left);
    state = (state ^ rest) * 0xD6E8FEB86659FD93u;
    return state ^ (state >> 29);
  }

  template <class Keep>
  NameId add(std::string_view text, Keep keep_text) {
    const std::uint64_t hashed = hash(text);
    std::size_t slot = hashed & (slots_.size() - 1);
    for (; slots_[slot] != kNoName; slot = (slot + 1) & (slots_.size() - 1)) {
      const NameId id = slots_[slot];
      if (hashes_[id] == static_cast<std::uint32_t>(hashed >> 32) && views_[id] == text) return id;
    }
    const auto id = static_cast<NameId>(views_.size());
    views_.push_back(keep_text());
    hashes_.push_back(static_cast<std::uint32_t>(hashed >> 32));
    slots_[slot] = id;
    if (2 * views_.size() > slots_.size()) grow();
    return id;
  }

  std::string_view keep(std::string_view text);
  void grow();

  std::vector<std::string_view> views_;
  std::vector<std::uint32_t> hashes_;
  std::vector<NameId> slots_;
  std::vector<Joined> joined_;
  std::size_t joined_count_ = 0;
  std::vector<std::unique_ptr<char[]>> chunks_;  // of the texts that are kept
  char* free_ = nullptr;
  std::size_t room_ = 0;
};

}  // namespace godwit::project
