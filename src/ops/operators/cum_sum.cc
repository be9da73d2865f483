// Running sums along an axis.
#include "ops/arithmetic.h"
#include "ops/cumulative.h"

namespace godwit::ops::operators {

extern const Operator cum_sum = {
    .name = "CumSum",
    .doc = "The sum of all elements up to each one along an axis, from either end.",
    .since = 11,
    .inputs = {{"x", 'T', kReals | kWideIntegers | since(14, kSingles)}, {"axis", 'A', kIndices}},
    .outputs = {{"y", 'T', kReals | kWideIntegers | since(14, kSingles)}},
    .attributes = {{"exclusive", 0}, {"reverse", 0}},
    .revisions = {14},
    .numerics = Numerics::kReduction,
    .infer = same_as_first,
    .evaluate = cumulating([](auto a, auto b) { return wrapping_add(a, b); },
                           std::integral_constant<int, 0>()),
    .flop = flop_per_input<1>,
};

}  // namespace godwit::ops::operators
