// Interest: which rules asked for a name, answered by a few hash look-ups.
#pragma once

#include <bitset>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace godwit::scan {

/// Patterns: "torch.load" is exact, "torch.cuda.*" a prefix, "*.bfloat16" a last part.
/// The texts of patterns must outlive the object.
class Interest {
 public:
  void add(std::string_view pattern, std::uint16_t rule);

  /// Rules whose pattern fits, each once, in the order they were added.
  void find(std::string_view name, std::vector<std::uint16_t>& rules) const;

  bool empty() const { return exact_.empty() && prefixes_.empty() && methods_.empty(); }

 private:
  using Rules = std::vector<std::uint16_t>;
  using Table = std::unordered_map<std::string_view, Rules>;
  static void collect(const Table& table, std::string_view key, Rules& into);

  Table exact_, prefixes_, methods_;
  std::vector<std::size_t> prefix_lengths_;  // distinct, ascending
  std::bitset<256> first_;                   // first bytes that exact names and prefixes have
};

}  // namespace godwit::scan
