// Merge: what a person changed in one text, taken over into another one, line by line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace godwit::syntax {

/// A stretch that both sides changed in different ways.
struct Conflict {
  std::uint32_t line = 0;  // of `theirs`, from 1
  std::string ours{};      // what was not taken over
};

struct Merged {
  std::string text{};
  std::uint32_t taken = 0;  // stretches of ours that went in
  std::vector<Conflict> conflicts{};
};

/// Three-way merge by lines: changes from `base` to `ours` go into `theirs`. Where both changed the
/// same lines in different ways, theirs stays and the conflict is listed.
Merged merge(std::string_view base, std::string_view ours, std::string_view theirs);

}  // namespace godwit::syntax
