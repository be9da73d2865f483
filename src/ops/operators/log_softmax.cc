// Logarithm of Softmax, without taking the logarithm of a rounded zero.
#include "ops/softmax.h"

#include <cmath>

#include "ops/arithmetic.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

constexpr auto normalise = []<class T>(std::span<const T> x, std::span<T> y, const Lane& lane) {
  if (lane.count == 0) return;
  T top = x[lane[0]];
  for (std::size_t i = 1; i < lane.count; ++i) top = larger(top, x[lane[i]]);
  Accumulator<T> sum = 0;
  for (std::size_t i = 0; i < lane.count; ++i) sum += std::exp(x[lane[i]] - top);
  const auto log_sum = static_cast<T>(std::log(sum));
  for (std::size_t i = 0; i < lane.count; ++i) y[lane[i]] = x[lane[i]] - top - log_sum;
};

}  // namespace

extern const Operator log_softmax = {
    .name = "LogSoftmax",
    .doc = "x - max - log(sum(exp(x - max))) along one axis.",
    .inputs = {{"input", 'T', floats(13)}},
    .outputs = {{"output", 'T', floats(13)}},
    .attributes = {{.name = "axis", .fallback = 1, .until = 12},
                   {.name = "axis", .fallback = -1, .since = 13}},
    .revisions = {11, 13},
    .numerics = Numerics::kSoftmax,
    .infer = same_as_first,
    .evaluate = along_axis(normalise),
    .flop = flop_per_output<5>,
};

}  // namespace godwit::ops::operators
