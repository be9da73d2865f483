// Running products along an axis.
#include "ops/arithmetic.h"
#include "ops/cumulative.h"

namespace godwit::ops::operators {

extern const Operator cum_prod = {
    .name = "CumProd",
    .doc = "The product of all elements up to each one along an axis, from either end.",
    .since = 26,
    .inputs = {{"x", 'T', kWideNumbers}, {"axis", 'A', kIndices}},
    .outputs = {{"y", 'T', kWideNumbers}},
    .attributes = {{"exclusive", 0}, {"reverse", 0}},
    .numerics = Numerics::kReduction,
    .infer = same_as_first,
    .evaluate = cumulating([](auto a, auto b) { return wrapping_multiply(a, b); },
                           std::integral_constant<int, 1>()),
    .flop = flop_per_input<1>,
};

}  // namespace godwit::ops::operators
