// The largest of several tensors, element by element.
#include "ops/arithmetic.h"
#include "ops/contents.h"
#include "ops/elementwise.h"

namespace godwit::ops::operators {
namespace {

// Here the name still means the function of dims, not the operator.
constexpr auto max_dim = [](Dim a, Dim b) { return max(a, b); };

}  // namespace

extern const Operator max = {
    .name = "Max",
    .doc = "Element-wise maximum with broadcasting; NaN wins.",
    .inputs = {{"data_0", 'T', floats(13) | since(12, kIntegers), kVariadic}},
    .outputs = {{"max", 'T', floats(13) | since(12, kIntegers)}},
    .attributes = {{.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 8, 12, 13},
    .numerics = Numerics::kElementwise,
    .infer = broadcasting(max_dim),
    .evaluate = fold_all(Numbers(), [](auto a, auto b) { return larger(a, b); }),
    .flop = flop_per_output<1>,
};

}  // namespace godwit::ops::operators
