// The smallest of several tensors, element by element.
#include "ops/arithmetic.h"
#include "ops/contents.h"
#include "ops/elementwise.h"

namespace godwit::ops::operators {
namespace {

// Here the name still means the function of dims, not the operator.
constexpr auto min_dim = [](Dim a, Dim b) { return min(a, b); };

}  // namespace

extern const Operator min = {
    .name = "Min",
    .doc = "Element-wise minimum with broadcasting; NaN wins.",
    .inputs = {{"data_0", 'T', floats(13) | since(12, kIntegers), kVariadic}},
    .outputs = {{"min", 'T', floats(13) | since(12, kIntegers)}},
    .attributes = {{.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 8, 12, 13},
    .numerics = Numerics::kElementwise,
    .infer = broadcasting(min_dim),
    .evaluate = fold_all(Numbers(), [](auto a, auto b) { return smaller(a, b); }),
    .flop = flop_per_output<1>,
};

}  // namespace godwit::ops::operators
