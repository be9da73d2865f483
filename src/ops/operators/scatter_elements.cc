// Writes one element for each index, along an axis.
#include "ops/inference.h"
#include "ops/scatter.h"

namespace godwit::ops::operators {

extern const Operator scatter_elements = {
    .name = "ScatterElements",
    .doc = "The data with one update written for each index along one axis.",
    .since = 11,
    .inputs = {{"data", 'T', kClassic | kFloats},
               {"indices", 'I', kIndices},
               {"updates", 'T', kClassic | kFloats}},
    .outputs = {{"output", 'T', kClassic | kFloats}},
    .attributes = {{"axis", 0}, {.name = "reduction", .fallback = "none", .since = 16}},
    .revisions = {13, 18},
    .infer = same_as_first,
    .evaluate = scatter_elementwise,
};

}  // namespace godwit::ops::operators
