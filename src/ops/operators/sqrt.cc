// Square root.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator sqrt = {
    .name = "Sqrt",
    .doc = "The square root of x; NaN of negative numbers.",
    .inputs = {{"X", 'T', floats(13)}},
    .outputs = {{"Y", 'T', floats(13)}},
    .attributes = {{.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 13},
    .numerics = Numerics::kElementwise,
    .infer = same_as_first,
    .evaluate = each(Reals(), [](auto x) { return std::sqrt(x); }),
    .flop = flop_per_output<1>,
};

}  // namespace godwit::ops::operators
