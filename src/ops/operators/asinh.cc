// Inverse hyperbolic sine.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator asinh = {
    .name = "Asinh",
    .doc = "The number whose hyperbolic sine is x.",
    .since = 9,
    .inputs = {{"input", 'T', floats(22)}},
    .outputs = {{"output", 'T', floats(22)}},
    .revisions = {22},
    .numerics = Numerics::kTranscendental,
    .infer = same_as_first,
    .evaluate = each(Reals(), [](auto x) { return std::asinh(x); }),
    .flop = flop_per_output<10>,
};

}  // namespace godwit::ops::operators
