// Negative values keep a small slope.
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator leaky_relu = {
    .name = "LeakyRelu",
    .doc = "x where it is not negative, else alpha * x.",
    .inputs = {{"X", 'T', floats(16)}},
    .outputs = {{"Y", 'T', floats(16)}},
    .attributes = {{"alpha", 0.01f}, {.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 16},
    .numerics = Numerics::kElementwise,
    .infer = same_as_first,
    .evaluate = by_type(Reals(),
                        []<class T>(Call& call) -> Status {
                          const T alpha = static_cast<T>(call.number("alpha"));
                          return unary<T>(call, [=](T x) { return x < 0 ? alpha * x : x; });
                        }),
    .flop = flop_per_output<2>,
};

}  // namespace godwit::ops::operators
