// Products along axes.
#include "ops/arithmetic.h"
#include "ops/reduce.h"

namespace godwit::ops::operators {

extern const Operator reduce_prod = {
    .name = "ReduceProd",
    .doc = "The product along the axes; 1 of nothing.",
    .inputs = reduced_inputs(wide_numbers(13)),
    .outputs = {{"reduced", 'T', wide_numbers(13)}},
    .attributes = reduced_attributes(),
    .revisions = {11, 13, 18},
    .numerics = Numerics::kReduction,
    .infer = reducing([](Dim a, Dim b) { return a * b; }),
    .evaluate = by_type(
        Numbers(),
        []<class T>(Call& call) -> Status {
          using State = Accumulator<T>;
          return reduce<T, State>(
              call, 1, [](State product, T x) { return wrapping_multiply(product, State(x)); },
              [](State product, std::size_t) { return product; });
        }),
    .expand = kLeavesAsIs,
    .flop = flop_per_input<1>,
};

}  // namespace godwit::ops::operators
