// Rounding up.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator ceil = {
    .name = "Ceil",
    .doc = "The least whole number that is not less than x.",
    .inputs = {{"X", 'T', floats(13)}},
    .outputs = {{"Y", 'T', floats(13)}},
    .attributes = {{.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 13},
    .infer = same_as_first,
    .evaluate = each(Reals(), [](auto x) { return std::ceil(x); }),
    .flop = flop_per_output<1>,
};

}  // namespace godwit::ops::operators
