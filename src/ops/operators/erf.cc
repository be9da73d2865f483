// The error function.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator erf = {
    .name = "Erf",
    .doc = "erf(x), element by element.",
    .since = 9,
    .inputs = {{.name = "input", .types = kClassicNumbers, .until = 12},
               {.name = "input", .types = kFloats, .since = 13}},
    .outputs = {{.name = "output", .types = kClassicNumbers, .until = 12},
                {.name = "output", .types = kFloats, .since = 13}},
    .revisions = {13},
    .numerics = Numerics::kTranscendental,
    .infer = same_as_first,
    .evaluate = each(Numbers(), [](auto x) { return static_cast<decltype(x)>(std::erf(x)); }),
    .flop = flop_per_output<10>,
};

}  // namespace godwit::ops::operators
