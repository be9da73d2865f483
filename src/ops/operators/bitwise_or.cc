// Bitwise or of whole numbers.
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator bitwise_or = {
    .name = "BitwiseOr",
    .doc = "The or of every bit of a and b.",
    .since = 18,
    .inputs = {{"A", 'T', kIntegers}, {"B", 'T', kIntegers}},
    .outputs = {{"C", 'T', kIntegers}},
    .infer = broadcast_numbers,
    .evaluate = each_pair(Integers(), [](auto a, auto b) { return a | b; }),
};

}  // namespace godwit::ops::operators
