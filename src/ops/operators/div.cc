// Quotient of two tensors, element by element.
#include <algorithm>

#include "ops/arithmetic.h"
#include "ops/contents.h"
#include "ops/elementwise.h"

namespace godwit::ops::operators {
namespace {

// Sizes of shapes are not negative, so that rounding down and cutting are the same.
constexpr auto quotient = [](Dim a, Dim b) {
  return a.is_known() && b.is_known() && !b.is(0) ? Dim(divide(a.value(), b.value()))
                                                  : floor_div(a, b);
};

constexpr auto evaluate = []<class T>(Call& call) -> Status {
  if constexpr (std::is_integral_v<T>) {
    const std::span<const T> b = call.values<T>(1);
    if (std::find(b.begin(), b.end(), T(0)) != b.end()) return call.refuse("zero");
  }
  return binary<T>(call, [](T a, T b) { return divide(a, b); });
};

}  // namespace

extern const Operator div = {
    .name = "Div",
    .doc = "Element-wise quotient with broadcasting; of whole numbers cut toward zero.",
    .inputs = {{"A", 'T', kArithmetic}, {"B", 'T', kArithmetic}},
    .outputs = {{"C", 'T', kArithmetic}},
    .attributes = {{.name = "axis", .until = 6},
                   {.name = "broadcast", .fallback = 0, .until = 6},
                   {.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 7, 13, 14},
    .numerics = Numerics::kElementwise,
    .infer = broadcasting(quotient),
    .evaluate = by_type(Numbers(), evaluate),
    .flop = flop_per_output<1>,
};

}  // namespace godwit::ops::operators
