// The error function.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator erf = {
    .name = "Erf",
    .doc = "erf(x), element by element.",
    .since = 9,
    .inputs = {{"input", 'T', kFloats}},
    .outputs = {{"output", 'T', kFloats}},
    .revisions = {13},
    .numerics = Numerics::kTranscendental,
    .infer = same_as_first,
    .evaluate = each(Reals(), [](auto x) { return std::erf(x); }),
    .flop = flop_per_output<10>,
};

}  // namespace godwit::ops::operators
