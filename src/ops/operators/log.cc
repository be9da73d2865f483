// Natural logarithm.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator log = {
    .name = "Log",
    .doc = "log(x), element by element.",
    .inputs = {{"input", 'T', floats(13)}},
    .outputs = {{"output", 'T', floats(13)}},
    .attributes = {{.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 13},
    .numerics = Numerics::kTranscendental,
    .infer = same_as_first,
    .evaluate = each(Reals(), [](auto x) { return std::log(x); }),
    .flop = flop_per_output<10>,
};

}  // namespace godwit::ops::operators
