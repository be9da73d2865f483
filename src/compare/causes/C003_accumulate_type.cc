// A long sum in a narrow accumulator: the error grows as the root of its length, without a bias,
// and is larger than the rounding of the result.
#include <algorithm>
#include <cmath>

#include "compare/cause.h"

namespace godwit::compare::causes {
namespace {

constexpr double kLong = 128, kBlock = 16;

double likelihood(const Pair& pair, const Layer& layer) {
  const bool sums =
      layer.numerics == ops::Numerics::kMatrix || layer.numerics == ops::Numerics::kReduction;
  const auto length = static_cast<double>(layer.summed);
  const double unit = unit_roundoff(pair.stored);
  if (layer.narrow_accumulator == false) return 0;
  if (!sums || length < kLong || unit == 0) return 0;
  // Half of the measured errors of a half accumulator over blocks of 16 products (1.2e-3 at 1024).
  const double expected = 0.15 * unit * std::sqrt(length / kBlock) * 2;
  const double own = std::sqrt(
      std::max(0.0, std::pow(layer.figure("relative_rmse"), 2) - std::pow(layer.input_error, 2)));
  return own > expected && own > 2 * unit ? 0.8 : 0;
}

}  // namespace

extern const Cause accumulate_type = {.code = "C003", .likelihood = likelihood};

}  // namespace godwit::compare::causes
