// Where the largest value along an axis stands.
#include "ops/arg_extreme.h"

namespace godwit::ops::operators {

extern const Operator arg_max = {
    .name = "ArgMax",
    .doc = "The index of the largest value along one axis, the first or the last of equals.",
    .inputs = {{"data", 'T', numbers(13)}},
    .outputs = {{"reduced", 'I', kInt64}},
    .attributes = {{"axis", 0},
                   {"keepdims", 1},
                   {.name = "select_last_index", .fallback = 0, .since = 12}},
    .revisions = {11, 12, 13},
    .infer = infer_arg_extreme,
    .evaluate = arg_extreme([](auto a, auto b) { return a > b; }),
};

}  // namespace godwit::ops::operators
