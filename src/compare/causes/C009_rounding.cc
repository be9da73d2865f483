// What is left: the roundings of the stored type on the way here explain the difference.
#include <cmath>

#include "compare/cause.h"

namespace godwit::compare::causes {
namespace {

constexpr double kFactor = 4;

double likelihood(const Pair& pair, const Layer& layer) {
  const double unit = unit_roundoff(pair.stored);
  const double expected = kFactor * unit * std::sqrt(static_cast<double>(layer.depth + 1));
  return layer.figure("relative_rmse") <= expected ? 0.5 : 0.05;
}

}  // namespace

extern const Cause rounding = {.code = "C009", .likelihood = likelihood, .is_quiet = true};

}  // namespace godwit::compare::causes
