// Lines compared by number: the shortest edit script after Myers (1986).
#include "syntax/line_diff.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

namespace godwit::syntax {
namespace {

// Past so many differing lines the shortest script costs too much: one large hunk is right as well.
constexpr std::int64_t kMostDifferences = 3000;

std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> number_lines(const TextLines& a,
                                                                               const TextLines& b) {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  const auto number = [&](const TextLines& lines) {
    std::vector<std::uint32_t> result;
    for (const std::string_view line : lines) {
      result.push_back(
          numbers.emplace(line, static_cast<std::uint32_t>(numbers.size())).first->second);
    }
    return result;
  };
  auto first = number(a);
  return {std::move(first), number(b)};
}

// Myers' greedy search over the part that differs. `reach[d][k]` is the furthest line of `a` on
// diagonal k after d differences; the way back through it gives the script.
class Search {
 public:
  Search(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) : a_(a), b_(b) {}

  /// Pairs of equal lines, in order; nothing when there are too many differences.
  std::vector<std::pair<std::size_t, std::size_t>> run() {
    const auto most = std::min(static_cast<std::int64_t>(a_.size() + b_.size()), kMostDifferences);
    std::vector<std::int64_t> furthest(static_cast<std::size_t>(2 * most + 3), 0);
    const auto at = [&](std::int64_t k) -> std::int64_t& {
      return furthest[static_cast<std::size_t>(k + most + 1)];
    };
    for (std::int64_t d = 0; d <= most; ++d) {
      for (std::int64_t k = -d; k <= d; k += 2) {
        const bool down = k == -d || (k != d && at(k - 1) < at(k + 1));
        at(k) = slide(down ? at(k + 1) : at(k - 1) + 1, k);
        if (at(k) >= size_a() && at(k) - k >= size_b()) return walk_back(d, k);
      }
      reach_.emplace_back(&at(-d), &at(d) + 1);
    }
    return {};
  }

 private:
  std::int64_t size_a() const { return static_cast<std::int64_t>(a_.size()); }
  std::int64_t size_b() const { return static_cast<std::int64_t>(b_.size()); }

  std::int64_t slide(std::int64_t x, std::int64_t k) const {
    while (x < size_a() && x - k < size_b() &&
           a_[static_cast<std::size_t>(x)] == b_[static_cast<std::size_t>(x - k)]) {
      ++x;
    }
    return x;
  }

  std::vector<std::pair<std::size_t, std::size_t>> walk_back(std::int64_t d, std::int64_t k) const {
    std::vector<std::pair<std::size_t, std::size_t>> equal;
    std::int64_t x = size_a();
    for (; d >= 0; --d) {
      std::int64_t start = 0;
      std::int64_t from = k;
      if (d > 0) {
        const auto before = [&](std::int64_t diagonal) {
          return reach_[static_cast<std::size_t>(d - 1)]
                       [static_cast<std::size_t>(diagonal + d - 1)];
        };
        const bool down = k == -d || (k != d && before(k - 1) < before(k + 1));
        from = down ? k + 1 : k - 1;
        start = down ? before(from) : before(from) + 1;
      }
      for (; x > start; --x) {
        equal.emplace_back(static_cast<std::size_t>(x - 1), static_cast<std::size_t>(x - 1 - k));
      }
      x = d > 0 && from == k - 1 ? start - 1 : start;
      k = from;
    }
    std::reverse(equal.begin(), equal.end());
    return equal;
  }

  std::span<const std::uint32_t> a_, b_;
  std::vector<std::vector<std::int64_t>> reach_;
};

}  // namespace

TextLines split_lines(std::string_view text) {
  TextLines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

std::vector<LineChange> find_changes(const TextLines& before, const TextLines& after) {
  const auto [a, b] = number_lines(before, after);
  std::size_t head = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < a.size() - head && tail < b.size() - head &&
         a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) {
    ++tail;
  }
  const std::span<const std::uint32_t> middle_a(a.data() + head, a.size() - head - tail);
  const std::span<const std::uint32_t> middle_b(b.data() + head, b.size() - head - tail);
  auto equal = Search(middle_a, middle_b).run();
  equal.emplace_back(middle_a.size(), middle_b.size());
  std::vector<LineChange> changes;
  std::size_t x = 0;
  std::size_t y = 0;
  for (const auto& [next_x, next_y] : equal) {
    if (next_x > x || next_y > y) {
      changes.push_back({head + x, head + next_x, head + y, head + next_y});
    }
    x = next_x + 1;
    y = next_y + 1;
  }
  return changes;
}

}  // namespace godwit::syntax
