// Difference of two tensors, element by element.
#include "ops/arithmetic.h"
#include "ops/contents.h"
#include "ops/elementwise.h"

namespace godwit::ops::operators {

extern const Operator sub = {
    .name = "Sub",
    .doc = "Element-wise difference with broadcasting.",
    .inputs = {{"A", 'T', kArithmetic}, {"B", 'T', kArithmetic}},
    .outputs = {{"C", 'T', kArithmetic}},
    .attributes = {{.name = "axis", .until = 6},
                   {.name = "broadcast", .fallback = 0, .until = 6},
                   {.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 7, 13, 14},
    .numerics = Numerics::kElementwise,
    .infer = broadcasting([](Dim a, Dim b) { return a - b; }),
    .evaluate = each_pair(Numbers(), [](auto a, auto b) { return wrapping_subtract(a, b); }),
    .flop = flop_per_output<1>,
};

}  // namespace godwit::ops::operators
