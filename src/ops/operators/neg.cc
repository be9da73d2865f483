// Change of sign.
#include "ops/arithmetic.h"
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator neg = {
    .name = "Neg",
    .doc = "-x, element by element.",
    .inputs = {{"X", 'T', floats(13) | since(6, kSigned)}},
    .outputs = {{"Y", 'T', floats(13) | since(6, kSigned)}},
    .attributes = {{.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 13},
    .numerics = Numerics::kElementwise,
    .infer = same_as_first,
    .evaluate =
        each(Numbers(), [](auto x) { return wrapping_multiply(x, static_cast<decltype(x)>(-1)); }),
    .flop = flop_per_output<1>,
};

}  // namespace godwit::ops::operators
