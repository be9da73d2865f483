// RMSE over the rms of the reference; its negative logarithm to base 2 is the effective bits.
#include <limits>

#include "compare/metric.h"

namespace godwit::compare::metrics {
namespace {

double measure(const Pair& pair) {
  const double error = compare::measure("rmse", pair), size = rms(pair.reference);
  if (error == 0) return 0;
  return size == 0 ? std::numeric_limits<double>::max() : error / size;
}

}  // namespace

extern const Metric relative_rmse = {.name = "relative_rmse", .measure = measure};

}  // namespace godwit::compare::metrics
