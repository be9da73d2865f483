// The lanes of Softmax, LogSoftmax and Hardmax, which opset 13 changed.
#pragma once

#include "ops/call.h"
#include "ops/walk.h"

namespace godwit::ops {

/// `.evaluate = along_axis(body)`: calls `body(x, y, lane)` for every lane along `axis`. Before
/// opset 13 all axes from `axis` on were taken as one.
template <class Body>
constexpr auto along_axis(Body) {
  return by_type(Reals(), []<class T>(Call& call) -> Status {
    const Sizes& dims = call.input(0).dims();
    ASSIGN(const std::size_t axis, call.axis("axis", dims.size()));
    const std::span<const T> x = call.values<T>(0);
    ASSIGN(const std::span<T> y, call.make<T>(0, dims));
    const bool is_flat = call.opset() < 13;
    const Sizes seen =
        is_flat ? Sizes{product(dims, 0, axis), product(dims, axis, dims.size())} : dims;
    for_each_lane(seen, is_flat ? 1 : axis, [&](const Lane& lane) { Body{}(x, y, lane); });
    return {};
  });
}

}  // namespace godwit::ops
