// Both of two truth values.
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator and_ = {
    .name = "And",
    .doc = "True where both are true.",
    .inputs = {{"A", 'T', kBool}, {"B", 'T', kBool}},
    .outputs = {{"C", 'B', kBool}},
    .attributes = {{.name = "axis", .until = 6}, {.name = "broadcast", .fallback = 0, .until = 6}},
    .revisions = {7},
    .infer = broadcast_truth,
    .evaluate = each_pair(Types<bool>(), [](bool a, bool b) { return a && b; }),
};

}  // namespace godwit::ops::operators
