// A walk over the text that keeps all states at once.
#include "ops/regex.h"

#include <algorithm>

#include "ops/code_points.h"

namespace godwit::ops {

bool Regex::is_word(char32_t c) {
  return (c >= U'0' && c <= U'9') || (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z') ||
         c == U'_';
}

bool Regex::holds(char assertion, std::u32string_view text, std::size_t at) {
  const bool word_before = at > 0 && is_word(text[at - 1]);
  const bool word_behind = at < text.size() && is_word(text[at]);
  switch (assertion) {
    case 'A': return at == 0;
    case 'z': return at == text.size();
    case '^': return at == 0 || text[at - 1] == U'\n';
    case '$': return at == text.size() || text[at] == U'\n';
    case 'b': return word_before != word_behind;
    default: return word_before == word_behind;
  }
}

bool Regex::contains(const std::vector<Range>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](const Range& range) { return c >= range.first && c <= range.last; });
}

// Adds all states that are reached without taking a character.
void Regex::add(std::vector<std::uint32_t>& states, std::vector<std::uint32_t>& seen,
                std::uint32_t stamp, std::uint32_t start, std::u32string_view text,
                std::size_t at) const {
  std::vector<std::uint32_t> open = {start};
  while (!open.empty()) {
    const std::uint32_t state = open.back();
    open.pop_back();
    if (seen[state] == stamp) continue;
    seen[state] = stamp;
    const Step& step = steps_[state];
    if (step.kind == Step::Kind::kFork) open.push_back(step.other);
    if (step.kind == Step::Kind::kFork ||
        (step.kind == Step::Kind::kAssert && holds(step.assertion, text, at)))
      open.push_back(step.next);
    if (step.kind == Step::Kind::kClass || step.kind == Step::Kind::kAccept)
      states.push_back(state);
  }
}

std::optional<bool> Regex::matches(std::string_view bytes) const {
  const std::optional<std::u32string> text = code_points(bytes);
  if (!text) return std::nullopt;
  std::vector<std::uint32_t> states, next, seen(steps_.size(), 0);
  add(states, seen, 1, start_, *text, 0);
  for (std::size_t i = 0; i < text->size() && !states.empty(); ++i) {
    next.clear();
    for (const std::uint32_t state : states) {
      const Step& step = steps_[state];
      if (contains(step.ranges, (*text)[i]))
        add(next, seen, static_cast<std::uint32_t>(i + 2), step.next, *text, i + 1);
    }
    states.swap(next);
  }
  return std::any_of(states.begin(), states.end(), [this](std::uint32_t state) {
    return steps_[state].kind == Step::Kind::kAccept;
  });
}

}  // namespace godwit::ops
