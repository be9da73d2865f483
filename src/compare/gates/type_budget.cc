// A gate that knows the type: each element may be off by what the roundings on the way to it
// explain. Nothing may be lost to overflow, and nothing may be Inf or NaN that was not.
#include <algorithm>
#include <cmath>

#include "compare/gate.h"

namespace godwit::compare::gates {
namespace {

// Independent roundings add up as the root of their number; a factor for what is not independent.
// 99.9 % of the elements within the budget and none beyond ten times it: as in section 6 of the
// standards in data/precision.
constexpr double kFactor = 4, kShare = 0.999, kMost = 10;

bool passes(const Pair& pair, const Layer& layer) {
  if (layer.figure("non_finite") > 0 || layer.figure("saturated") > 0) return false;
  const double unit = std::max({unit_roundoff(pair.stored), layer.unit, 0x1p-24});
  const double rounding = kFactor * unit * std::sqrt(static_cast<double>(layer.depth + 1));
  const double floor = rms(pair.reference);
  std::size_t within = 0;
  for (std::size_t i = 0; i < pair.found.size(); ++i) {
    const double error = std::fabs(pair.found[i] - pair.reference[i]);
    const double budget = rounding * std::max(std::fabs(pair.reference[i]), floor);
    if (std::isfinite(error) && error > kMost * budget) return false;
    within += !std::isfinite(error) || error <= budget;
  }
  return static_cast<double>(within) >= kShare * static_cast<double>(pair.found.size());
}

}  // namespace

extern const Gate type_budget = {.name = "budget", .code = "C021", .passes = passes};

}  // namespace godwit::compare::gates
