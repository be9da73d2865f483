// Words: the text files of a project (shell, YAML, requirements …) as words that rules ask for.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "project/files.h"

namespace godwit::scan {

/// True for kinds that are read word by word.
bool has_words(project::FileKind kind);

/// Text files past this size are data, not configuration; they are counted, not read.
inline constexpr std::uint64_t kMostTextBytes = std::uint64_t{1} << 20;

struct WordPlace {
  std::string_view name, line;
  std::uint32_t number = 0, column = 0;  // from 1
};

/// Calls `visit` for each run of letters, digits and `_ . -` (ends stripped of `.` and `-`),
/// comments left out where the kind has them.
void for_each_word(std::string_view text, project::FileKind kind,
                   const std::function<void(const WordPlace&)>& visit);

}  // namespace godwit::scan
