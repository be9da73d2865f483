// Effort: person-days of the work that findings stand for, as ranges with their basis.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"
#include "diag/finding.h"

namespace godwit::scan {

struct Days {
  double low = 0, high = 0;
  Days& operator+=(const Days& other);
  Days times(double factor) const { return {low * factor, high * factor}; }
};

/// All findings of one class of work.
struct EffortItem {
  std::string item{};                      // key of effort.tsv
  std::string title{}, basis{};            // in the user's language
  std::string status{};                    // "assumed" or "calibrated"
  std::size_t count = 0;                   // distinct subjects, or places
  Days first_run{}, production{}, peak{};  // of all `count`, each on top of the phase before
};

struct Effort {
  std::vector<EffortItem> items{};  // largest first
  Days first_run{}, production{}, peak{};
};

/// Adds up data/effort.tsv over the findings. Errors: E058 a cell of the table is no range.
Result<Effort> estimate_effort(const std::vector<diag::Finding>& findings);

Json to_json(const Effort& effort);
/// The table that people read.
diag::Section to_section(const Effort& effort);

}  // namespace godwit::scan
