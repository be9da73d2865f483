// No step is wrong, but this one makes a small error large: a difference of nearly equal numbers,
// or a division by a small one.
#include "compare/cause.h"

namespace godwit::compare::causes {
namespace {

constexpr double kGain = 4;

double likelihood(const Pair& pair, const Layer& layer) {
  const double before = layer.input_error + unit_roundoff(pair.stored);
  return layer.figure("relative_rmse") > kGain * before ? 0.6 : 0;
}

}  // namespace

extern const Cause amplification = {.code = "C007", .likelihood = likelihood, .is_quiet = true};

}  // namespace godwit::compare::causes
