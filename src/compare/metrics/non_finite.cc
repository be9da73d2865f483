// Elements of which one side is Inf or NaN and the other is not the same.
#include <cmath>

#include "compare/metric.h"

namespace godwit::compare::metrics {
namespace {

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

double measure(const Pair& pair) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < pair.found.size(); ++i) {
    const bool is_any = !std::isfinite(pair.reference[i]) || !std::isfinite(pair.found[i]);
    count += is_any && !is_same(pair.reference[i], pair.found[i]);
  }
  return static_cast<double>(count);
}

}  // namespace

extern const Metric non_finite = {.name = "non_finite", .measure = measure};

}  // namespace godwit::compare::metrics
