// Sine.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator sin = {
    .name = "Sin",
    .doc = "sin(x) of an angle in radians.",
    .since = 7,
    .inputs = {{"input", 'T', floats(22)}},
    .outputs = {{"output", 'T', floats(22)}},
    .revisions = {22},
    .numerics = Numerics::kTranscendental,
    .infer = same_as_first,
    .evaluate = each(Reals(), [](auto x) { return std::sin(x); }),
    .flop = flop_per_output<10>,
};

}  // namespace godwit::ops::operators
