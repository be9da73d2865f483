// Rounding down.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator floor = {
    .name = "Floor",
    .doc = "The greatest whole number that is not greater than x.",
    .inputs = {{"X", 'T', floats(13)}},
    .outputs = {{"Y", 'T', floats(13)}},
    .attributes = {{.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 13},
    .infer = same_as_first,
    .evaluate = each(Reals(), [](auto x) { return std::floor(x); }),
    .flop = flop_per_output<1>,
};

}  // namespace godwit::ops::operators
