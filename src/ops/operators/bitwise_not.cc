// All bits flipped.
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator bitwise_not = {
    .name = "BitwiseNot",
    .doc = "~x, element by element.",
    .since = 18,
    .inputs = {{"X", 'T', kIntegers}},
    .outputs = {{"Y", 'T', kIntegers}},
    .infer = same_as_first,
    .evaluate = each(Integers(), [](auto x) { return ~x; }),
};

}  // namespace godwit::ops::operators
