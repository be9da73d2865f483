// Scaled exponential linear unit.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator selu = {
    .name = "Selu",
    .doc = "gamma * x where x is positive, else gamma * alpha * (exp(x) - 1).",
    .inputs = {{"X", 'T', floats(22)}},
    .outputs = {{"Y", 'T', floats(22)}},
    .attributes = {{.name = "alpha", .fallback = 1.6732f, .until = 5},
                   {.name = "alpha", .fallback = 1.67326319217681884765625f, .since = 6},
                   {.name = "gamma", .fallback = 1.0507f, .until = 5},
                   {.name = "gamma", .fallback = 1.05070102214813232421875f, .since = 6},
                   {.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 22},
    .numerics = Numerics::kTranscendental,
    .infer = same_as_first,
    .evaluate = by_type(Reals(),
                        []<class T>(Call& call) -> Status {
                          const T alpha = static_cast<T>(call.number("alpha"));
                          const T gamma = static_cast<T>(call.number("gamma"));
                          return unary<T>(call, [=](T x) {
                            return gamma * (x > 0 ? x : alpha * std::expm1(x));
                          });
                        }),
    .flop = flop_per_output<4>,
};

}  // namespace godwit::ops::operators
