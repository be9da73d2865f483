// Edits: byte ranges of a file with their new text, applied together or not at all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace godwit::syntax {

struct Edit {
  std::uint32_t begin = 0, end = 0;  // bytes of the file as it stands; equal for an insertion
  std::string text{};                // in the file's own encoding (ASCII in all our rules)
  std::string rule{};                // code, for the record
  std::string reason{};              // message key of the proof
};

/// Sorts and applies; outside the ranges every byte stays. Errors: E063 two edits overlap, E064 an
/// edit lies outside the file. Insertions at one place keep their order; equal edits count once.
Result<std::string> apply(std::string_view bytes, std::vector<Edit> edits);

/// Unified diff as `git apply` takes it, three lines of context, "\ No newline at end of file"
/// where it holds; empty when nothing changed. An empty `before_path` or `after_path` means the
/// file is new or gone (/dev/null).
std::string unified_diff(std::string_view before_path, std::string_view before,
                         std::string_view after_path, std::string_view after);

}  // namespace godwit::syntax
