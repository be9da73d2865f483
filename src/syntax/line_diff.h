// Line diff: which lines of one text stand in the place of which lines of another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace godwit::syntax {

using TextLines = std::vector<std::string_view>;  // each with its "\n", but for an unfinished last

/// Lines [before, before_past) replaced by lines [after, after_past).
struct LineChange {
  std::size_t before = 0, before_past = 0;
  std::size_t after = 0, after_past = 0;
};

TextLines split_lines(std::string_view text);

/// In order. Past 3,000 differing lines one large change is given, which is right as well.
std::vector<LineChange> find_changes(const TextLines& before, const TextLines& after);

}  // namespace godwit::syntax
