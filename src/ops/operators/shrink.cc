// Pulls values toward zero, and small ones onto it.
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator shrink = {
    .name = "Shrink",
    .doc = "x + bias below -lambd, x - bias above lambd, else 0.",
    .since = 9,
    .inputs = {{"input", 'T', kClassicNumbers}},
    .outputs = {{"output", 'T', kClassicNumbers}},
    .attributes = {{"bias", 0.0f}, {"lambd", 0.5f}},
    .numerics = Numerics::kElementwise,
    .infer = same_as_first,
    .evaluate = by_type(Numbers(),
                        []<class T>(Call& call) -> Status {
                          const double bias = call.number("bias"), lambd = call.number("lambd");
                          return unary<T>(call, [=](T value) {
                            const auto x = static_cast<double>(value);
                            return static_cast<T>(x < -lambd ? x + bias : x > lambd ? x - bias : 0);
                          });
                        }),
    .flop = flop_per_output<2>,
};

}  // namespace godwit::ops::operators
