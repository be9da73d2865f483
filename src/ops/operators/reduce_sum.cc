// Sums along axes.
#include "ops/arithmetic.h"
#include "ops/reduce.h"

namespace godwit::ops::operators {

extern const Operator reduce_sum = {
    .name = "ReduceSum",
    .doc = "The sum along the axes; 0 of nothing.",
    .inputs = reduced_inputs(wide_numbers(13), 13),
    .outputs = {{"reduced", 'T', wide_numbers(13)}},
    .attributes = reduced_attributes(13),
    .revisions = {11, 13},
    .numerics = Numerics::kReduction,
    .infer = reducing([](Dim a, Dim b) { return a + b; }),
    .evaluate = by_type(Numbers(),
                        []<class T>(Call& call) -> Status {
                          using State = Accumulator<T>;
                          return reduce<T, State>(
                              call, 0, [](State sum, T x) { return wrapping_add(sum, State(x)); },
                              [](State sum, std::size_t) { return sum; });
                        }),
    .expand = kLeavesAsIs,
    .flop = flop_per_input<1>,
};

}  // namespace godwit::ops::operators
