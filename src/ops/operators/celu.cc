// Exponential linear unit whose slope is continuous for every alpha.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator celu = {
    .name = "Celu",
    .doc = "max(0, x) + min(0, alpha * (exp(x / alpha) - 1)).",
    .since = 12,
    .inputs = {{"X", 'T', kFloats}},
    .outputs = {{"Y", 'T', kFloats}},
    .attributes = {{"alpha", 1.0f}},
    .revisions = {28},
    .numerics = Numerics::kTranscendental,
    .infer = same_as_first,
    .evaluate = by_type(Reals(),
                        []<class T>(Call& call) -> Status {
                          const T alpha = static_cast<T>(call.number("alpha"));
                          return unary<T>(
                              call, [=](T x) { return x > 0 ? x : alpha * std::expm1(x / alpha); });
                        }),
    .flop = flop_per_output<4>,
};

}  // namespace godwit::ops::operators
