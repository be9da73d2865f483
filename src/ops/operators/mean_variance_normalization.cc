// Elements with the same coordinates on the axes left out shifted and scaled to mean 0, variance 1.
#include <cmath>

#include "ops/call.h"
#include "ops/inference.h"
#include "ops/term.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

constexpr double kEpsilon = 1e-9;  // added to the deviation, as the function of the standard does

template <class T>
Status evaluate(Call& call) {
  const Sizes& dims = call.input(0).dims();
  ASSIGN(const std::vector<std::size_t> axes, call.axes(call.integers("axes"), dims.size()));
  Sizes kept = dims;
  for (const std::size_t axis : axes) kept[axis] = 1;
  const auto groups = static_cast<std::size_t>(product(kept, 0, kept.size()));
  const std::vector<std::int64_t> steps = broadcast_strides(kept, dims);
  const std::span<const T> x = call.values<T>(0);
  ASSIGN(const std::span<T> y, call.make<T>(0, dims));
  const T count = static_cast<T>(x.size()) / static_cast<T>(std::max<std::size_t>(1, groups));

  std::vector<T> mean(groups), variance(groups);
  Odometer at(dims, {steps});
  for (std::size_t i = 0; !at.done(); at.next(), ++i) mean[at.offset(0)] += x[i] / count;
  at = Odometer(dims, {steps});
  for (std::size_t i = 0; !at.done(); at.next(), ++i) {
    y[i] = x[i] - mean[at.offset(0)];
    variance[at.offset(0)] += y[i] * y[i] / count;
  }
  at = Odometer(dims, {steps});
  for (std::size_t i = 0; !at.done(); at.next(), ++i)
    y[i] /= std::sqrt(variance[at.offset(0)]) + static_cast<T>(kEpsilon);
  return {};
}

Status expand(Expansion& e) {
  ASSIGN(const Term x, term(e, 0));
  const Ints axes = e.integers("axes");
  const Term mean = x.mean(axes);
  const Term square = (x * x).mean(axes) - mean * mean;
  e.set_output(0, (x - mean) / (square.then("Sqrt") + 1e-9));
  return {};
}

}  // namespace

extern const Operator mean_variance_normalization = {
    .name = "MeanVarianceNormalization",
    .doc = "(x - mean) / deviation, both taken along the given axes.",
    .since = 9,
    .inputs = {{"X", 'T', floats(13)}},
    .outputs = {{"Y", 'T', floats(13)}},
    .attributes = {{"axes", AttributeSpec::List{0, 2, 3}}},
    .revisions = {13},
    .numerics = Numerics::kNormalization,
    .infer = same_as_first,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .expand = expand,
    .flop = flop_per_output<5>,
};

}  // namespace godwit::ops::operators
