// Which elements are no numbers.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator is_nan = {
    .name = "IsNaN",
    .doc = "True where x is NaN.",
    .since = 9,
    .inputs = {{"X", 'T', floats(13) | since(20, kFloat8)}},
    .outputs = {{"Y", 'B', kBool}},
    .revisions = {13, 20},
    .infer = broadcast_truth,
    .evaluate = each(Reals(), [](auto x) { return std::isnan(x); }),
};

}  // namespace godwit::ops::operators
