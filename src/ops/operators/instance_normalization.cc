// Every channel of every image shifted and scaled to mean 0 and variance 1.
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/moments.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

template <class T>
Status evaluate(Call& call) {
  TRY(expect_rank_from(call, 0, 2));
  const Sizes& dims = call.input(0).dims();
  TRY(expect_sizes(call, 1, {dims[1]}));
  TRY(expect_sizes(call, 2, {dims[1]}));
  const std::span<const T> x = call.values<T>(0), scale = call.values<T>(1),
                           bias = call.values<T>(2);
  const auto epsilon = static_cast<T>(call.number("epsilon"));
  ASSIGN(const std::span<T> y, call.make<T>(0, dims));
  const auto volume = static_cast<std::size_t>(product(dims, 2, dims.size()));
  for (std::size_t first = 0; first < x.size(); first += volume) {
    const std::size_t c = first / volume % scale.size();
    const std::span<const T> plane = x.subspan(first, volume);
    const Moments<T> m = moments<T>(volume, [&](std::size_t i) { return plane[i]; });
    const T factor = scale[c] / std::sqrt(m.variance + epsilon);
    for (std::size_t i = 0; i < volume; ++i) y[first + i] = (plane[i] - m.mean) * factor + bias[c];
  }
  return {};
}

}  // namespace

extern const Operator instance_normalization = {
    .name = "InstanceNormalization",
    .doc = "Shifts and scales every channel of every image to mean 0 and variance 1.",
    .inputs = {{"input", 'T', floats(22)}, {"scale", 'T', floats(22)}, {"B", 'T', floats(22)}},
    .outputs = {{"output", 'T', floats(22)}},
    .attributes = {{.name = "consumed_inputs", .until = 5}, {"epsilon", 1e-5F}},
    .revisions = {6, 22},
    .numerics = Numerics::kNormalization,
    .infer = same_as_first,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .flop = flop_per_output<6>,
};

}  // namespace godwit::ops::operators
