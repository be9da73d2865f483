// The sign of each element.
#include "ops/arithmetic.h"
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator sign = {
    .name = "Sign",
    .doc = "-1, 0 or 1 as x is negative, zero or positive.",
    .since = 9,
    .inputs = {{"input", 'T', numbers(13)}},
    .outputs = {{"output", 'T', numbers(13)}},
    .revisions = {13},
    .infer = same_as_first,
    .evaluate =
        each(Numbers(),
             [](auto x) { return is_nan(x) ? x : static_cast<decltype(x)>((x > 0) - (x < 0)); }),
    .flop = flop_per_output<1>,
};

}  // namespace godwit::ops::operators
