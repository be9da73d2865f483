// Softmax along one axis, shifted by the maximum so that no input overflows.
#include <cmath>
#include <limits>

#include "ops/call.h"
#include "ops/inference.h"
#include "ops/walk.h"

namespace godwit::ops::operators {
namespace {

template <class T>
void softmax_lane(std::span<const T> x, std::span<T> y, const Lane& lane) {
  T top = -std::numeric_limits<T>::infinity();
  for (std::size_t i = 0; i < lane.count; ++i) top = std::max(top, x[lane[i]]);
  T sum = 0;
  for (std::size_t i = 0; i < lane.count; ++i) sum += y[lane[i]] = std::exp(x[lane[i]] - top);
  for (std::size_t i = 0; i < lane.count; ++i) y[lane[i]] /= sum;
}

// Before opset 13 all axes from `axis` on were taken as one.
Sizes seen_dims(const Call& call, std::size_t axis) {
  const Sizes& dims = call.input(0).dims();
  if (call.opset() >= 13) return dims;
  return {product(dims, 0, axis), product(dims, axis, dims.size())};
}

}  // namespace

extern const Operator softmax = {
    .name = "Softmax",
    .doc = "exp(x - max) / sum(exp(x - max)) along one axis.",
    .inputs = {{"input", 'T', kFloats}},
    .outputs = {{"output", 'T', kFloats}},
    .attributes = {{.name = "axis", .fallback = 1, .until = 12},
                   {.name = "axis", .fallback = -1, .since = 13}},
    .revisions = {11, 13},
    .numerics = Numerics::kSoftmax,
    .infer = same_as_first,
    .evaluate = by_type(Reals(),
                        []<class T>(Call& call) -> Status {
                          ASSIGN(const std::size_t axis, call.axis("axis", call.input(0).rank()));
                          const std::span<const T> x = call.values<T>(0);
                          ASSIGN(const std::span<T> y, call.make<T>(0, call.input(0).dims()));
                          for_each_lane(seen_dims(call, axis), call.opset() >= 13 ? axis : 1,
                                        [&](const Lane& lane) { softmax_lane(x, y, lane); });
                          return {};
                        }),
    .flop = flop_per_output<5>,
};

}  // namespace godwit::ops::operators
