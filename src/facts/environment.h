// Environment variables of the CUDA side and their Ascend counterparts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace godwit::facts {

/// same: rename it; similar: the value or the meaning differs; none: nothing like it was found.
enum class Relation : std::uint8_t { kSame, kSimilar, kNone };

std::string_view to_string(Relation relation);  // "same", "similar", "none"

struct Variable {
  std::string cuda{};    // "CUDA_VISIBLE_DEVICES"
  std::string ascend{};  // "ASCEND_RT_VISIBLE_DEVICES"; empty for none
  Relation relation = Relation::kNone;
  std::string note{}, source{}, at{};
};

/// Counterparts of a variable; more than one where the old one splits. Empty: not a variable we
/// know.
Result<std::vector<Variable>> find_variable(std::string_view cuda);

}  // namespace godwit::facts
