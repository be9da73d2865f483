// Largest difference relative to the element, or to the rms of the tensor where that is larger:
// elements near zero do not decide alone.
#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/metric.h"

namespace godwit::compare::metrics {
namespace {

double measure(const Pair& pair) {
  const double floor = rms(pair.reference);
  double most = 0;
  for (std::size_t i = 0; i < pair.found.size(); ++i) {
    const double error = std::fabs(pair.found[i] - pair.reference[i]);
    if (!std::isfinite(error) || error == 0) continue;
    const double size = std::max(std::fabs(pair.reference[i]), floor);
    most = size == 0 ? std::numeric_limits<double>::max() : std::max(most, error / size);
  }
  return most;
}

}  // namespace

extern const Metric max_relative = {.name = "max_relative", .measure = measure};

}  // namespace godwit::compare::metrics
