// A smooth sign.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator softsign = {
    .name = "Softsign",
    .doc = "x / (1 + |x|), element by element.",
    .inputs = {{"input", 'T', floats(22)}},
    .outputs = {{"output", 'T', floats(22)}},
    .revisions = {22},
    .numerics = Numerics::kElementwise,
    .infer = same_as_first,
    .evaluate = each(Reals(), [](auto x) { return x / (1 + std::fabs(x)); }),
    .flop = flop_per_output<3>,
};

}  // namespace godwit::ops::operators
