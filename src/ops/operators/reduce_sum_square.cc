// Sums of squares along axes.
#include "ops/arithmetic.h"
#include "ops/reduce.h"

namespace godwit::ops::operators {

extern const Operator reduce_sum_square = {
    .name = "ReduceSumSquare",
    .doc = "The sum of the squares along the axes.",
    .inputs = reduced_inputs(wide_numbers(13)),
    .outputs = {{"reduced", 'T', wide_numbers(13)}},
    .attributes = reduced_attributes(),
    .revisions = {11, 13, 18},
    .numerics = Numerics::kReduction,
    .infer = infer_reduced,
    .evaluate = by_type(Numbers(),
                        []<class T>(Call& call) -> Status {
                          using State = Accumulator<T>;
                          return reduce<T, State>(
                              call, 0,
                              [](State sum, T x) {
                                return wrapping_add(sum, wrapping_multiply(State(x), State(x)));
                              },
                              [](State sum, std::size_t) { return sum; });
                        }),
    .expand = leaving([](const Term& x) { return x * x; }),
    .flop = flop_per_input<2>,
};

}  // namespace godwit::ops::operators
