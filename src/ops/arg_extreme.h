// The index of the largest or smallest element along an axis: ArgMax and ArgMin.
#pragma once

#include "ops/arithmetic.h"
#include "ops/reduce.h"

namespace godwit::ops {

inline Status infer_arg_extreme(Inference& n) {
  std::optional<Shape> shape;
  if (n.shape(0)) {
    ASSIGN(const std::size_t axis, n.axis("axis", n.shape(0)->size()));
    shape = without_axis(*n.shape(0), axis, n.flag("keepdims"));
  }
  n.set(0, ElementType::kInt64, std::move(shape));
  return {};
}

/// `better(a, b)`: a replaces b. The first NaN replaces every number, and is not replaced.
template <class Better>
constexpr auto arg_extreme(Better) {
  return by_type(Numbers(), []<class T>(Call& call) -> Status {
    const Sizes& dims = call.input(0).dims();
    ASSIGN(const std::size_t axis, call.axis("axis", dims.size()));
    const bool takes_last = call.flag("select_last_index");
    Sizes kept = dims;
    kept[axis] = 1;
    if (dims[axis] == 0) return call.refuse("index", {{"index", "0"}, {"size", "0"}});
    if (!call.flag("keepdims")) kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(axis));
    const std::span<const T> x = call.values<T>(0);
    ASSIGN(const std::span<std::int64_t> y, call.make<std::int64_t>(0, kept));
    std::size_t out = 0;
    for_each_lane(dims, axis, [&](const Lane& lane) {
      std::size_t top = 0;
      for (std::size_t i = 1; i < lane.count; ++i) {
        const T a = x[lane[i]], b = x[lane[top]];
        const bool is_equal = a == b || (is_nan(a) && is_nan(b));
        if (Better{}(a, b) || (is_nan(a) && !is_nan(b)) || (takes_last && is_equal)) top = i;
      }
      y[out++] = static_cast<std::int64_t>(top);
    });
    return {};
  });
}

}  // namespace godwit::ops
