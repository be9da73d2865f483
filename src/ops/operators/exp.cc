// Exponential function.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator exp = {
    .name = "Exp",
    .doc = "e to the power of x.",
    .inputs = {{"input", 'T', floats(13)}},
    .outputs = {{"output", 'T', floats(13)}},
    .attributes = {{.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 13},
    .numerics = Numerics::kTranscendental,
    .infer = same_as_first,
    .evaluate = each(Reals(), [](auto x) { return std::exp(x); }),
    .flop = flop_per_output<10>,
};

}  // namespace godwit::ops::operators
