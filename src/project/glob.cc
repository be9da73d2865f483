// Matching without recursion: one place to come back to for '*', one for '**'.
#include "project/glob.h"

#include <cstddef>

namespace godwit::project {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// `[a-z]`, `[!x]`: whether `c` is in the set that starts at `at`, and where the set ends (kNone: it
// is no set, the bracket stands for itself).
bool in_set(std::string_view pattern, std::size_t at, char c, std::size_t& end) {
  std::size_t i = at + 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  const std::size_t close = pattern.find(']', i + 1);
  end = close;
  if (close == kNone) return false;
  bool found = false;
  for (; i < close; ++i) {
    if (i + 2 < close && pattern[i + 1] == '-') {
      found = found || (pattern[i] <= c && c <= pattern[i + 2]);
      i += 2;
    } else {
      found = found || pattern[i] == c;
    }
  }
  return found != negated;
}

// Where the pattern goes on after one character of the path, or kNone.
std::size_t step(std::string_view pattern, std::size_t at, char c) {
  if (at >= pattern.size()) return kNone;
  if (pattern[at] == '?') return c == '/' ? kNone : at + 1;
  if (pattern[at] == '[' && c != '/') {
    std::size_t end = kNone;
    const bool found = in_set(pattern, at, c, end);
    if (end != kNone) return found ? end + 1 : kNone;
  }
  if (pattern[at] == '\\' && at + 1 < pattern.size()) return pattern[at + 1] == c ? at + 2 : kNone;
  return pattern[at] == c ? at + 1 : kNone;
}

bool fits(std::string_view pattern, std::string_view path) {
  std::size_t p = 0;
  std::size_t i = 0;
  std::size_t star = kNone, star_path = 0;    // last '*': stays inside one part
  std::size_t stars = kNone, stars_path = 0;  // last '**': crosses parts
  while (i < path.size()) {
    if (pattern.substr(p).starts_with("**")) {
      stars = p + 2;
      if (stars < pattern.size() && pattern[stars] == '/') ++stars;  // "**/x" fits "x" too
      stars_path = i;
      star = kNone;
      p = stars;
      continue;
    }
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      star_path = i;
      continue;
    }
    if (const std::size_t next = step(pattern, p, path[i]); next != kNone) {
      p = next;
      ++i;
    } else if (star != kNone && path[star_path] != '/') {
      p = star;
      i = ++star_path;
    } else if (stars != kNone) {
      star = kNone;
      p = stars;
      i = ++stars_path;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

Globs::Globs(const std::vector<std::string>& patterns) {
  for (std::string_view text : patterns) {
    Pattern pattern;
    if (text.starts_with('!')) {
      pattern.is_negated = true;
      text.remove_prefix(1);
    }
    if (text.starts_with("./")) text.remove_prefix(1);
    if (text.ends_with('/')) {
      pattern.only_folders = true;
      text.remove_suffix(1);
    }
    pattern.is_anchored = text.find('/') != kNone;
    if (text.starts_with('/')) text.remove_prefix(1);
    pattern.text = text;
    if (!text.empty()) patterns_.push_back(std::move(pattern));
  }
}

bool Globs::matches(std::string_view path, bool is_folder) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  bool result = false;
  for (const Pattern& pattern : patterns_) {
    if (pattern.only_folders && !is_folder) continue;
    if (fits(pattern.text, pattern.is_anchored ? path : name)) result = !pattern.is_negated;
  }
  return result;
}

}  // namespace godwit::project
