// Euclidean norms along axes.
#include <cmath>

#include "ops/arithmetic.h"
#include "ops/reduce.h"

namespace godwit::ops::operators {

extern const Operator reduce_l2 = {
    .name = "ReduceL2",
    .doc = "The square root of the sum of the squares along the axes.",
    .inputs = reduced_inputs(wide_numbers(13)),
    .outputs = {{"reduced", 'T', wide_numbers(13)}},
    .attributes = reduced_attributes(),
    .revisions = {11, 13, 18},
    .numerics = Numerics::kReduction,
    .infer = infer_reduced,
    .evaluate = by_type(Numbers(),
                        []<class T>(Call& call) -> Status {
                          return reduce<T, double>(
                              call, 0,
                              [](double sum, T value) {
                                const auto x = static_cast<double>(value);
                                return sum + x * x;
                              },
                              [](double sum, std::size_t) { return std::sqrt(sum); });
                        }),
    .expand = leaving([](const Term& x) { return x.then("Abs"); }),
    .flop = flop_per_input<2>,
};

}  // namespace godwit::ops::operators
