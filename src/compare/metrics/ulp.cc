// Distance in units of the last place of the stored type: the largest one, and how often which.
#include <algorithm>
#include <cmath>

#include "compare/metric.h"

namespace godwit::compare::metrics {
namespace {

constexpr std::size_t kBuckets = 14;  // 0, (0, 0.5], (0.5, 1], (1, 2], (2, 4] … and beyond 2^10

double distance(const Pair& pair, std::size_t i) {
  const double unit = compare::ulp(pair.stored, pair.reference[i]);
  const double error = std::fabs(pair.found[i] - pair.reference[i]);
  return unit == 0 || !std::isfinite(error) ? 0 : error / unit;
}

double measure(const Pair& pair) {
  double most = 0;
  for (std::size_t i = 0; i < pair.found.size(); ++i) most = std::max(most, distance(pair, i));
  return most;
}

std::vector<std::uint64_t> histogram(const Pair& pair) {
  std::vector<std::uint64_t> out(kBuckets);
  for (std::size_t i = 0; i < pair.found.size(); ++i) {
    const double ulps = distance(pair, i);
    std::size_t bucket = ulps == 0 ? 0 : 1;
    for (double edge = 0.5; ulps > edge && bucket + 1 < kBuckets; edge *= 2) ++bucket;
    ++out[bucket];
  }
  return out;
}

}  // namespace

extern const Metric ulp = {.name = "ulp", .measure = measure, .histogram = histogram};

}  // namespace godwit::compare::metrics
