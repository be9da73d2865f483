// Both sides are compared with the base; what touches nothing of the other side goes in.
#include "syntax/merge.h"

#include <algorithm>

#include "syntax/line_diff.h"

namespace godwit::syntax {
namespace {

std::string text_of(const TextLines& lines, std::size_t begin, std::size_t past) {
  std::string text;
  for (std::size_t i = begin; i < past; ++i) text += lines[i];
  return text;
}

// They share a line of the base, or both insert at one place.
bool meet(const LineChange& a, const LineChange& b) {
  const bool inserts_a = a.before == a.before_past, inserts_b = b.before == b.before_past;
  if (inserts_a && inserts_b) return a.before == b.before;
  if (inserts_a) return b.before < a.before && a.before < b.before_past;
  if (inserts_b) return a.before < b.before && b.before < a.before_past;
  return a.before < b.before_past && b.before < a.before_past;
}

}  // namespace

Merged merge(std::string_view base, std::string_view ours, std::string_view theirs) {
  const TextLines of_base = split_lines(base), of_ours = split_lines(ours),
                  of_theirs = split_lines(theirs);
  const auto mine = find_changes(of_base, of_ours), other = find_changes(of_base, of_theirs);
  Merged merged;
  std::size_t done = 0;  // lines of theirs that are written
  for (const LineChange& change : mine) {
    std::int64_t shift = 0;
    const LineChange* met = nullptr;
    for (const LineChange& there : other) {
      if (meet(change, there) && !met) met = &there;
      if (there.before_past <= change.before && !meet(change, there))
        shift = static_cast<std::int64_t>(there.after_past) -
                static_cast<std::int64_t>(there.before_past);
    }
    const std::string wanted = text_of(of_ours, change.after, change.after_past);
    if (met) {
      const bool is_same = met->before == change.before && met->before_past == change.before_past &&
                           text_of(of_theirs, met->after, met->after_past) == wanted;
      if (!is_same)
        merged.conflicts.push_back(
            {.line = static_cast<std::uint32_t>(met->after) + 1, .ours = wanted});
      continue;
    }
    const auto begin = static_cast<std::size_t>(static_cast<std::int64_t>(change.before) + shift);
    merged.text += text_of(of_theirs, done, begin);
    merged.text += wanted;
    done = begin + (change.before_past - change.before);
    ++merged.taken;
  }
  merged.text += text_of(of_theirs, done, of_theirs.size());
  return merged;
}

}  // namespace godwit::syntax
