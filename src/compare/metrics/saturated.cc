// Elements that stand at the largest number of the stored type while the reference is elsewhere:
// where a chip saturates, nothing else shows that a value has overflowed.
#include <cmath>

#include "compare/metric.h"

namespace godwit::compare::metrics {
namespace {

double measure(const Pair& pair) {
  const double top = largest(pair.stored);
  if (top == 0) return 0;
  const double step = ulp(pair.stored, top);
  std::size_t count = 0;
  for (std::size_t i = 0; i < pair.found.size(); ++i) {
    // A reference that rounds to the same number is no loss.
    const bool differs = std::fabs(pair.reference[i] - pair.found[i]) > step;
    count += std::fabs(pair.found[i]) == top && (differs || std::isnan(pair.reference[i]));
  }
  return static_cast<double>(count);
}

}  // namespace

extern const Metric saturated = {.name = "saturated", .measure = measure};

}  // namespace godwit::compare::metrics
