// Negative values keep a slope that is learned.
#include "ops/arithmetic.h"
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

// Until opset 6 a slope per channel stands for axis 1; since then it broadcasts to the input.
Sizes slope_sizes(const Call& call) {
  Sizes slope = call.input(1).dims();
  const std::size_t rank = call.input(0).rank();
  if (call.opset() < 7 && slope.size() == 1 && slope[0] != 1 && rank > 2)
    slope.insert(slope.end(), rank - 2, 1);
  return slope;
}

constexpr auto evaluate = []<class T>(Call& call) -> Status {
  const Sizes& dims = call.input(0).dims();
  const Sizes slope_dims = slope_sizes(call);
  if (broadcast(dims, slope_dims) != dims) {
    return call.refuse("broadcast", {{"a", ir::to_string(dims)}, {"b", ir::to_string(slope_dims)}});
  }
  const std::span<const T> x = call.values<T>(0), slope = call.values<T>(1);
  ASSIGN(const std::span<T> y, call.make<T>(0, dims));
  Odometer at(dims, {broadcast_strides(slope_dims, dims)});
  for (std::size_t i = 0; !at.done(); at.next(), ++i)
    y[i] = x[i] < T(0) ? wrapping_multiply(x[i], slope[at.offset(0)]) : x[i];
  return {};
};

}  // namespace

extern const Operator prelu = {
    .name = "PRelu",
    .doc = "x where it is not negative, else slope * x.",
    .inputs = {{"X", 'T', floats(16) | since(9, kWideIntegers)},
               {"slope", 'T', floats(16) | since(9, kWideIntegers)}},
    .outputs = {{"Y", 'T', floats(16) | since(9, kWideIntegers)}},
    .attributes = {{.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 7, 9, 16},
    .numerics = Numerics::kElementwise,
    .infer = same_as_first,
    .evaluate = by_type(Numbers(), evaluate),
    .flop = flop_per_output<2>,
};

}  // namespace godwit::ops::operators
