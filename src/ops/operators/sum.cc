// The sum of several tensors, element by element.
#include "ops/arithmetic.h"
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator sum = {
    .name = "Sum",
    .doc = "Element-wise sum with broadcasting.",
    .inputs = {{"data_0", 'T', floats(13), kVariadic}},
    .outputs = {{"sum", 'T', floats(13)}},
    .attributes = {{.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 8, 13},
    .numerics = Numerics::kElementwise,
    .infer = broadcast_numbers,
    .evaluate = fold_all(Reals(), [](auto a, auto b) { return wrapping_add(a, b); }),
    .flop = flop_per_output<1>,
};

}  // namespace godwit::ops::operators
