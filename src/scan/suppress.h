// Suppressions: `# godwit: ignore[S012]` beside the code that a person has judged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "project/module.h"
#include "scan/rule.h"

namespace godwit::scan {

/// One comment. On a line of code it holds for that line, alone on a line for the next one;
/// `ignore-file[…]` holds for the whole file. Without brackets it holds for every code.
struct Suppression {
  Place place{};           // of the comment
  std::string text{};      // as it stands
  std::uint32_t line = 0;  // that it holds for; 0: the whole file
  std::vector<std::string> codes{};
  bool used = false;
};

/// From the comments of a Python file or notebook.
void collect_suppressions(const project::Module& module, std::vector<Suppression>& out);
/// From a text file with '#' comments.
void collect_suppressions(std::string_view path, std::string_view text,
                          std::vector<Suppression>& out);

/// Takes out the findings that are suppressed, and marks what was used. Gives their number.
std::size_t suppress(Findings& findings, std::vector<Suppression>& suppressions);

}  // namespace godwit::scan
