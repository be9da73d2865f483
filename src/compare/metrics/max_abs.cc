// Largest absolute difference.
#include <algorithm>
#include <cmath>

#include "compare/metric.h"

namespace godwit::compare::metrics {
namespace {

double measure(const Pair& pair) {
  double most = 0;
  for (std::size_t i = 0; i < pair.found.size(); ++i) {
    const double error = std::fabs(pair.found[i] - pair.reference[i]);
    if (std::isfinite(error)) most = std::max(most, error);
  }
  return most;
}

}  // namespace

extern const Metric max_abs = {.name = "max_abs", .measure = measure};

}  // namespace godwit::compare::metrics
