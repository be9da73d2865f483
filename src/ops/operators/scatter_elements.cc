// Writes one element for each index, along an axis.
#include "ops/inference.h"
#include "ops/scatter.h"

namespace godwit::ops::operators {

extern const Operator scatter_elements = {
    .name = "ScatterElements",
    .doc = "The data with one update written for each index along one axis.",
    .since = 11,
    .inputs = {{"data", 'T', classic(13)},
               {"indices", 'I', kIndices},
               {"updates", 'T', classic(13)}},
    .outputs = {{"output", 'T', classic(13)}},
    .attributes = {{"axis", 0}, {.name = "reduction", .fallback = "none", .since = 16}},
    .revisions = {13, 18},
    .infer = same_as_first,
    .evaluate = scatter_elementwise,
};

}  // namespace godwit::ops::operators
