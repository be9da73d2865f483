// A softmax turns an absolute error of its input into a relative one of its output: scores that are
// large, or rows that are all masked, come out far from the reference.
#include <algorithm>
#include <cmath>

#include "compare/cause.h"

namespace godwit::compare::causes {
namespace {

constexpr double kGain = 4;  // of the relative error, beyond what a rounding adds

// All masked: every element the same on one side only.
bool is_flat(std::span<const double> values) {
  return values.size() > 1 && std::all_of(values.begin(), values.end(), [&](double value) {
           return std::fabs(value - values[0]) <= 1e-3 * std::fabs(values[0]);
         });
}

double likelihood(const Pair& pair, const Layer& layer) {
  if (layer.numerics != ops::Numerics::kSoftmax) return 0;
  if (is_flat(pair.found) && !is_flat(pair.reference)) return 0.98;
  const double own = unit_roundoff(pair.stored);
  return layer.figure("relative_rmse") > kGain * (layer.input_error + own) ? 0.9 : 0.3;
}

}  // namespace

extern const Cause softmax_instability = {.code = "C002", .likelihood = likelihood};

}  // namespace godwit::compare::causes
