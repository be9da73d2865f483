// Products along axes.
#include "ops/arithmetic.h"
#include "ops/reduce.h"

namespace godwit::ops::operators {

extern const Operator reduce_prod = {
    .name = "ReduceProd",
    .doc = "The product along the axes; 1 of nothing.",
    .inputs = {{"data", 'T', kWideNumbers},
               {.name = "axes", .variable = 'A', .types = kInt64, .kind = kOptional, .since = 18}},
    .outputs = {{"reduced", 'T', kWideNumbers}},
    .attributes = {{.name = "axes", .until = 17},
                   {"keepdims", 1},
                   {.name = "noop_with_empty_axes", .fallback = 0, .since = 18}},
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
    .flop = flop_per_input<1>,
};

}  // namespace godwit::ops::operators
