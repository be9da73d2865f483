// The logistic function.
#include "ops/arithmetic.h"
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator sigmoid = {
    .name = "Sigmoid",
    .doc = "1 / (1 + exp(-x)), element by element.",
    .inputs = {{"X", 'T', floats(13)}},
    .outputs = {{"Y", 'T', floats(13)}},
    .attributes = {{.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 13},
    .numerics = Numerics::kTranscendental,
    .infer = same_as_first,
    .evaluate = each(Reals(), [](auto x) { return logistic(x); }),
    .flop = flop_per_output<4>,
};

}  // namespace godwit::ops::operators
