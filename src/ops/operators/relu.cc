// Negative values become zero.
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator relu = {
    .name = "Relu",
    .doc = "max(x, 0), element by element; NaN stays NaN.",
    .inputs = {{"X", 'T', floats(13) | since(14, kSigned)}},
    .outputs = {{"Y", 'T', floats(13) | since(14, kSigned)}},
    .attributes = {{.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 13, 14},
    .numerics = Numerics::kElementwise,
    .infer = same_as_first,
    .evaluate = each(Numbers(), [](auto x) { return x < 0 ? decltype(x)(0) : x; }),
    .flop = flop_per_output<1>,
};

}  // namespace godwit::ops::operators
