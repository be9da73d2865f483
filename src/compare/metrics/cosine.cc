// Cosine of the angle between both tensors: blind to scale, and to errors of small elements.
#include <cmath>

#include "compare/metric.h"

namespace godwit::compare::metrics {
namespace {

// 1 of two tensors of zeros; 0 when one of them is.
double measure(const Pair& pair) {
  double product = 0, a = 0, b = 0;
  for (std::size_t i = 0; i < pair.found.size(); ++i) {
    const double x = pair.reference[i], y = pair.found[i];
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    product += x * y;
    a += x * x;
    b += y * y;
  }
  if (a == 0 || b == 0) return a == b ? 1 : 0;
  return product / std::sqrt(a) / std::sqrt(b);
}

}  // namespace

extern const Metric cosine = {.name = "cosine", .measure = measure};

}  // namespace godwit::compare::metrics
