// Sum of two tensors, element by element.
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator add = {
    .name = "Add",
    .doc = "Element-wise sum with broadcasting.",
    .inputs = {{"A", 'T', kNumbers}, {"B", 'T', kNumbers}},
    .outputs = {{"C", 'T', kNumbers}},
    .revisions = {6, 7, 13, 14},
    .numerics = Numerics::kElementwise,
    .infer = broadcast_numbers,
    .evaluate = by_type(Numbers(),
                        []<class T>(Call& call) -> Status {
                          return binary<T>(call, [](T a, T b) { return static_cast<T>(a + b); });
                        }),
    .flop = flop_per_output<1>,
};

}  // namespace godwit::ops::operators
