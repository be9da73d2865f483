// Logarithms of sums along axes.
#include <cmath>

#include "ops/arithmetic.h"
#include "ops/reduce.h"

namespace godwit::ops::operators {

extern const Operator reduce_log_sum = {
    .name = "ReduceLogSum",
    .doc = "The logarithm of the sum along the axes; minus infinity of nothing.",
    .inputs = {{.name = "data", .types = wide_numbers(13), .until = 27},
               {.name = "data", .types = kFloats, .since = 28},
               {.name = "axes", .variable = 'A', .types = kInt64, .kind = kOptional, .since = 18}},
    .outputs = {{.name = "reduced", .types = wide_numbers(13), .until = 27},
                {.name = "reduced", .types = kFloats, .since = 28}},
    .attributes = reduced_attributes(),
    .revisions = {11, 13, 18, 28},
    .numerics = Numerics::kReduction,
    .infer = infer_reduced,
    .evaluate = by_type(Numbers(),
                        []<class T>(Call& call) -> Status {
                          return reduce<T, double>(
                              call, 0, [](double sum, T x) { return sum + static_cast<double>(x); },
                              [](double sum, std::size_t) { return std::log(sum); });
                        }),
    .expand = leaving([](const Term& x) { return x.then("Log"); }),
    .flop = flop_per_input<1>,
};

}  // namespace godwit::ops::operators
