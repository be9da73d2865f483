// Mean absolute difference.
#include <cmath>

#include "compare/metric.h"

namespace godwit::compare::metrics {
namespace {

double measure(const Pair& pair) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < pair.found.size(); ++i) {
    const double error = std::fabs(pair.found[i] - pair.reference[i]);
    if (!std::isfinite(error)) continue;
    sum += error;
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace

extern const Metric mean_abs = {.name = "mean_abs", .measure = measure};

}  // namespace godwit::compare::metrics
