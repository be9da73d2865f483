// Counts: the one way in which findings are counted, wherever a number of them is shown.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "diag/finding.h"

namespace godwit::diag {

/// Both by Severity.
struct Counts {
  /// Findings that say the same count once, as they are shown once.
  std::array<std::size_t, 3> kinds{};
  /// The places in sources, models and machines that they stand for.
  std::array<std::size_t, 3> places{};
};

/// Equal for findings that say the same: severity, code and message.
std::string kind_of(const Finding& finding);

Counts count(const std::vector<Finding>& findings);

/// {errors, warnings, notes, places: {errors, warnings, notes}}
Json to_document(const Counts& counts);

}  // namespace godwit::diag
