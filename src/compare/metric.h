// Metrics: one number, or a histogram, that says how far two tensors are apart. One file each in
// metrics/.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "compare/pair.h"

namespace godwit::compare {

/// Pairs in which either side is not finite count in `non_finite` only.
struct Metric {
  std::string_view name;  // key of the JSON output; "compare.NAME" in ui.toml is its title
  double (*measure)(const Pair&) = nullptr;
  /// Counts by growing distance; null: none.
  std::vector<std::uint64_t> (*histogram)(const Pair&) = nullptr;
};

extern const std::span<const Metric* const> kMetrics;

/// The metric of that name, applied; the name must exist.
double measure(std::string_view metric, const Pair& pair);

}  // namespace godwit::compare
