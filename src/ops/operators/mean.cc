// The mean of several tensors, element by element.
#include "ops/arithmetic.h"
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator mean = {
    .name = "Mean",
    .doc = "Element-wise mean with broadcasting.",
    .inputs = {{"data_0", 'T', floats(13), kVariadic}},
    .outputs = {{"mean", 'T', floats(13)}},
    .attributes = {{.name = "consumed_inputs", .until = 5}},
    .revisions = {6, 8, 13},
    .numerics = Numerics::kElementwise,
    .infer = broadcast_numbers,
    .evaluate = by_type(Reals(),
                        []<class T>(Call& call) -> Status {
                          TRY(fold<T>(call, [](T a, T b) { return a + b; }));
                          const auto count = static_cast<T>(call.inputs());
                          for (T& y : call.results()[0].tensor.mutable_values<T>()) y /= count;
                          return {};
                        }),
    .flop = flop_per_output<2>,
};

}  // namespace godwit::ops::operators
