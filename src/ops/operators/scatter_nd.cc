// Writes slices of a tensor at rows of coordinates.
#include "ops/indices.h"
#include "ops/inference.h"
#include "ops/scatter.h"

namespace godwit::ops::operators {
namespace {

Status evaluate(Call& call) {
  ASSIGN(const Blocks blocks, block_places(call, 0));
  TRY(expect_sizes(call, 2, blocks.dims));
  return scatter(call, blocks.places, blocks.block);
}

}  // namespace

extern const Operator scatter_nd = {
    .name = "ScatterND",
    .doc = "The data with one slice of the updates written at each row of coordinates.",
    .since = 11,
    .inputs = {{"data", 'T', classic(13)}, {"indices", 'I', kInt64}, {"updates", 'T', classic(13)}},
    .outputs = {{"output", 'T', classic(13)}},
    .attributes = {{.name = "reduction", .fallback = "none", .since = 16}},
    .revisions = {13, 18},
    .infer = same_as_first,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
