// Rounding to the nearest whole number.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator round = {
    .name = "Round",
    .doc = "The nearest whole number; halves go to the even one.",
    .since = 11,
    .inputs = {{"X", 'T', floats(22)}},
    .outputs = {{"Y", 'T', floats(22)}},
    .revisions = {22},
    .infer = same_as_first,
    .evaluate = each(Reals(), [](auto x) { return std::nearbyint(x); }),
    .flop = flop_per_output<1>,
};

}  // namespace godwit::ops::operators
