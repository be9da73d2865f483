// ScatterElements under its older name.
#include "ops/scatter.h"
#include "ops/inference.h"

namespace godwit::ops::operators {

extern const Operator scatter = {
    .name = "Scatter",
    .doc = "The data with one update written for each index along one axis.",
    .since = 9,
    .inputs = {{"data", 'T', kClassic}, {"indices", 'I', kIndices}, {"updates", 'T', kClassic}},
    .outputs = {{"output", 'T', kClassic}},
    .attributes = {{"axis", 0}},
    .revisions = {11},
    .infer = same_as_first,
    .evaluate = scatter_elementwise,
};

}  // namespace godwit::ops::operators
