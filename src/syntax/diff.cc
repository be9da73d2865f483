// Unified diff: lines compared by number, shortest edit script after Myers (1986).
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "syntax/edit.h"

namespace godwit::syntax {
namespace {

using Lines = std::vector<std::string_view>;  // each with its "\n", but for an unfinished last one
constexpr std::size_t kContext = 3;
// Past so many differing lines the shortest script costs too much: one large hunk is right as well.
constexpr std::int64_t kMostDifferences = 3000;

Lines split_lines(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t length = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

/// Lines [before, before_past) replaced by lines [after, after_past).
struct Change {
  std::size_t before = 0, before_past = 0;
  std::size_t after = 0, after_past = 0;
};

std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> number_lines(const Lines& a,
                                                                               const Lines& b) {
  std::unordered_map<std::string_view, std::uint32_t> numbers;
  const auto number = [&](const Lines& lines) {
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

std::vector<Change> find_changes(const Lines& before, const Lines& after) {
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
  std::vector<Change> changes;
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

std::string range(std::size_t begin, std::size_t past) {
  const std::size_t count = past - begin;
  if (count == 1) return format("{}", begin + 1);
  return format("{},{}", count == 0 ? begin : begin + 1, count);
}

void write_lines(std::string& out, char sign, const Lines& lines, std::size_t begin,
                 std::size_t past) {
  for (std::size_t i = begin; i < past; ++i) {
    out += sign;
    out += lines[i];
    if (lines[i].back() != '\n') out += "\n\\ No newline at end of file\n";
  }
}

void write_hunk(std::string& out, std::span<const Change> changes, const Lines& before,
                const Lines& after) {
  const std::size_t lead = std::min(kContext, changes.front().before);
  const std::size_t trail = std::min(kContext, before.size() - changes.back().before_past);
  const std::size_t begin = changes.front().before - lead;
  out += format("@@ -{} +{} @@\n", range(begin, changes.back().before_past + trail),
                range(changes.front().after - lead, changes.back().after_past + trail));
  std::size_t at = begin;
  for (const Change& change : changes) {
    write_lines(out, ' ', before, at, change.before);
    write_lines(out, '-', before, change.before, change.before_past);
    write_lines(out, '+', after, change.after, change.after_past);
    at = change.before_past;
  }
  write_lines(out, ' ', before, at, at + trail);
}

// Quoted as git quotes: a path with a control character, a quote or a backslash.
std::string git_quoted(std::string_view path) {
  const bool is_plain = std::none_of(path.begin(), path.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\' || c == 0x7F;
  });
  if (is_plain) return std::string(path);
  std::string result = "\"";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      result += format("\\{:03o}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

// A name with a blank ends in a tab, or patch(1) would cut it.
std::string file_line(std::string_view sign, std::string_view prefix, std::string_view path) {
  if (path.empty()) return format("{} /dev/null\n", sign);
  const std::string name = git_quoted(format("{}{}", prefix, path));
  return format("{} {}{}\n", sign, name, contains(name, " ") && name.front() != '"' ? "\t" : "");
}

}  // namespace

std::string unified_diff(std::string_view before_path, std::string_view before,
                         std::string_view after_path, std::string_view after) {
  const bool is_new = before_path.empty();
  const bool is_gone = after_path.empty();
  const bool is_renamed = !is_new && !is_gone && before_path != after_path;
  if (before == after && !is_new && !is_gone && !is_renamed) return {};
  const std::string_view old_name = is_new ? after_path : before_path;
  const std::string_view new_name = is_gone ? before_path : after_path;
  std::string out = format("diff --git {} {}\n", git_quoted(format("a/{}", old_name)),
                           git_quoted(format("b/{}", new_name)));
  if (is_new) out += "new file mode 100644\n";
  if (is_gone) out += "deleted file mode 100644\n";
  if (is_renamed)
    out += format("rename from {}\nrename to {}\n", git_quoted(old_name), git_quoted(new_name));
  const Lines a = split_lines(before);
  const Lines b = split_lines(after);
  const std::vector<Change> changes = find_changes(a, b);
  if (changes.empty()) return out;
  out += file_line("---", "a/", before_path) + file_line("+++", "b/", after_path);
  for (std::size_t first = 0; first < changes.size();) {
    std::size_t past = first + 1;
    while (past < changes.size() &&
           changes[past].before - changes[past - 1].before_past <= 2 * kContext) {
      ++past;
    }
    write_hunk(out, std::span(changes).subspan(first, past - first), a, b);
    first = past;
  }
  return out;
}

}  // namespace godwit::syntax
