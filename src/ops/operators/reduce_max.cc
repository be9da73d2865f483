// The largest values along axes.
#include <limits>

#include "ops/arithmetic.h"
#include "ops/reduce.h"

namespace godwit::ops::operators {

extern const Operator reduce_max = {
    .name = "ReduceMax",
    .doc = "The largest value along the axes; NaN wins.",
    .inputs = reduced_inputs(kCompared),
    .outputs = {{"reduced", 'T', kCompared}},
    .attributes = reduced_attributes(),
    .revisions = {11, 12, 13, 18, 20},
    .numerics = Numerics::kExact,
    .infer = reducing([](Dim a, Dim b) { return max(a, b); }),
    .evaluate = by_type(Compared(),
                        []<class T>(Call& call) -> Status {
                          using Limits = std::numeric_limits<T>;
                          const T first =
                              Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
                          return reduce<T, T>(
                              call, first, [](T a, T b) { return larger(a, b); },
                              [](T y, std::size_t) { return y; });
                        }),
    .expand = kLeavesAsIs,
    .flop = flop_per_input<1>,
};

}  // namespace godwit::ops::operators
