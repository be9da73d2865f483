// Every lane along an axis divided by its norm.
#include "ops/inference.h"
#include "ops/norm.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

template <class T>
Status evaluate(Call& call) {
  const std::int64_t p = call.integer("p");
  if (p != 1 && p != 2) return refuse_attribute(call, "p");
  ASSIGN(const std::size_t axis, call.axis("axis", call.input(0).rank()));
  const std::span<const T> x = call.values<T>(0);
  ASSIGN(const std::span<T> y, call.make<T>(0, call.input(0).dims()));
  for_each_lane(call.input(0).dims(), axis, [&](const Lane& lane) {
    const T length = norm(static_cast<T>(p), lane.count, [&](std::size_t i) { return x[lane[i]]; });
    for (std::size_t i = 0; i < lane.count; ++i)
      y[lane[i]] = length == 0 ? 0 : x[lane[i]] / length;  // nothing stays nothing
  });
  return {};
}

}  // namespace

extern const Operator lp_normalization = {
    .name = "LpNormalization",
    .doc = "Divides every lane along an axis by its 1-norm or 2-norm.",
    .inputs = {{"input", 'T', floats(22)}},
    .outputs = {{"output", 'T', floats(22)}},
    .attributes = {{"axis", -1}, {"p", 2}},
    .revisions = {22},
    .numerics = Numerics::kNormalization,
    .infer = same_as_first,
    .evaluate = by_type(Reals(), []<class T>(Call& call) { return evaluate<T>(call); }),
    .flop = flop_per_output<3>,
};

}  // namespace godwit::ops::operators
