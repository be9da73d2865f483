// Negation of truth values.
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator not_ = {
    .name = "Not",
    .doc = "True where x is false.",
    .inputs = {{"X", 'T', kBool}},
    .outputs = {{"Y", 'T', kBool}},
    .infer = same_as_first,
    .evaluate = each(Types<bool>(), [](auto x) { return !x; }),
};

}  // namespace godwit::ops::operators
