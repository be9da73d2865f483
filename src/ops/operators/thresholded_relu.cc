// Values up to a threshold become zero.
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator thresholded_relu = {
    .name = "ThresholdedRelu",
    .doc = "x where it exceeds alpha, else 0.",
    .since = 10,
    .inputs = {{"X", 'T', floats(22)}},
    .outputs = {{"Y", 'T', floats(22)}},
    .attributes = {{"alpha", 1.0f}},
    .revisions = {22},
    .numerics = Numerics::kElementwise,
    .infer = same_as_first,
    .evaluate = by_type(Reals(),
                        []<class T>(Call& call) -> Status {
                          const T alpha = static_cast<T>(call.number("alpha"));
                          return unary<T>(call, [=](T x) { return x > alpha ? x : T(0); });
                        }),
    .flop = flop_per_output<1>,
};

}  // namespace godwit::ops::operators
