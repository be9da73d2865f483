// Distance in units of the last place of the stored type: the largest one, and how often which.
#include <algorithm>
#include <bit>
#include <cmath>

#include "compare/metric.h"

namespace godwit::compare::metrics {
namespace {

constexpr std::size_t kBuckets = 14;  // 0, (0, 0.5], (0.5, 1], (1, 2], (2, 4] … and beyond 2^10

template <class Body>
void for_each_distance(const Pair& pair, const Body& body) {
  const Ulps unit_of(pair.stored);
  for (std::size_t i = 0; i < pair.found.size(); ++i) {
    const double unit = unit_of(pair.reference[i]);
    const double error = std::fabs(pair.found[i] - pair.reference[i]);
    body(unit == 0 || !std::isfinite(error) ? 0 : error / unit);
  }
}

double measure(const Pair& pair) {
  double most = 0;
  for_each_distance(pair, [&](double ulps) { most = std::max(most, ulps); });
  return most;
}

// The least edge 0.5, 1, 2 … that is no smaller, by the bits of the number.
std::size_t bucket_of(double ulps) {
  if (ulps <= 0.5) return ulps == 0 ? 0 : 1;
  const auto bits = std::bit_cast<std::uint64_t>(ulps);
  const int below = static_cast<int>(bits >> 52) - 1023;  // of the power of two below or at it
  const bool is_power = (bits & ((std::uint64_t{1} << 52) - 1)) == 0;
  return std::min<std::size_t>(kBuckets - 1, static_cast<std::size_t>(below + (is_power ? 2 : 3)));
}

std::vector<std::uint64_t> histogram(const Pair& pair) {
  std::vector<std::uint64_t> out(kBuckets);
  for_each_distance(pair, [&](double ulps) { ++out[bucket_of(ulps)]; });
  return out;
}

}  // namespace

extern const Metric ulp = {.name = "ulp", .measure = measure, .histogram = histogram};

}  // namespace godwit::compare::metrics
