// Sigmoid in three straight pieces.
#include <algorithm>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator hard_sigmoid = {
    .name = "HardSigmoid",
    .doc = "max(0, min(1, alpha * x + beta)).",
    .inputs = {{"X", 'T', floats(22)}},
    .outputs = {{"Y", 'T', floats(22)}},
    .attributes = {{"alpha", 0.2f}, {"beta", 0.5f}, {.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 22},
    .numerics = Numerics::kElementwise,
    .infer = same_as_first,
    .evaluate = by_type(Reals(),
                        []<class T>(Call& call) -> Status {
                          const T alpha = static_cast<T>(call.number("alpha"));
                          const T beta = static_cast<T>(call.number("beta"));
                          return unary<T>(
                              call, [=](T x) { return std::clamp<T>(alpha * x + beta, 0, 1); });
                        }),
    .flop = flop_per_output<4>,
};

}  // namespace godwit::ops::operators
