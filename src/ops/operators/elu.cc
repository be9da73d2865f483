// Exponential linear unit.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator elu = {
    .name = "Elu",
    .doc = "x where it is positive, else alpha * (exp(x) - 1).",
    .inputs = {{"X", 'T', floats(22)}},
    .outputs = {{"Y", 'T', floats(22)}},
    .attributes = {{"alpha", 1.0f}, {.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 22},
    .numerics = Numerics::kTranscendental,
    .infer = same_as_first,
    .evaluate = by_type(Reals(),
                        []<class T>(Call& call) -> Status {
                          const T alpha = static_cast<T>(call.number("alpha"));
                          return unary<T>(call,
                                          [=](T x) { return x > 0 ? x : alpha * std::expm1(x); });
                        }),
    .flop = flop_per_output<3>,
};

}  // namespace godwit::ops::operators
