// Running sums and products along an axis: CumSum and CumProd.
#pragma once

#include "ops/arithmetic.h"
#include "ops/call.h"
#include "ops/inference.h"
#include "ops/walk.h"

namespace godwit::ops {

/// `combine` starts from the constant `First`; with the attribute exclusive an element is left out
/// of its own result.
template <class Combine, class First>
constexpr auto cumulating(Combine, First) {
  return by_type(Numbers(), []<class T>(Call& call) -> Status {
    const Sizes& dims = call.input(0).dims();
    ASSIGN(const Ints named, call.integers(1));
    if (named.size() != 1) return call.scalar(1).map([](double) {});
    ASSIGN(const std::size_t axis, call.axis(named[0], dims.size()));
    const bool is_exclusive = call.flag("exclusive"), is_reverse = call.flag("reverse");
    const std::span<const T> x = call.values<T>(0);
    ASSIGN(const std::span<T> y, call.make<T>(0, dims));
    for_each_lane(dims, axis, [&](const Lane& lane) {
      Accumulator<T> running = First::value;
      for (std::size_t i = 0; i < lane.count; ++i) {
        const std::size_t at = lane[is_reverse ? lane.count - 1 - i : i];
        const auto next = Combine{}(running, static_cast<Accumulator<T>>(x[at]));
        y[at] = static_cast<T>(is_exclusive ? running : next);
        running = next;
      }
    });
    return {};
  });
}

}  // namespace godwit::ops
