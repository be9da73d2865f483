// A smooth form of max(x, 0).
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator softplus = {
    .name = "Softplus",
    .doc = "log(1 + exp(x)), written so that no input overflows.",
    .inputs = {{"X", 'T', floats(22)}},
    .outputs = {{"Y", 'T', floats(22)}},
    .revisions = {22},
    .numerics = Numerics::kTranscendental,
    .infer = same_as_first,
    .evaluate =
        each(Reals(), [](auto x) { return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x))); }),
    .flop = flop_per_output<4>,
};

}  // namespace godwit::ops::operators
