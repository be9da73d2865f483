// Picks slices of a tensor by rows of coordinates.
#include "ops/elements.h"
#include "ops/indices.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

Result<std::size_t> batch_dims(const Site& site) {
  const std::int64_t batch = site.integer("batch_dims");
  if (batch < 0 || batch > 1024) return refuse_attribute(site, "batch_dims");
  return static_cast<std::size_t>(batch);
}

Status infer(Inference& n) {
  ASSIGN(const std::size_t batch, batch_dims(n));
  std::optional<Shape> shape;
  if (n.shape(0) && n.shape(1) && !n.shape(1)->empty() && n.shape(1)->back().is_known()) {
    const auto depth = static_cast<std::size_t>(n.shape(1)->back().value());
    if (depth <= n.shape(0)->size() && batch + depth <= n.shape(0)->size()) {
      shape.emplace(n.shape(1)->begin(), n.shape(1)->end() - 1);
      shape->insert(shape->end(), n.shape(0)->begin() + static_cast<std::ptrdiff_t>(batch + depth),
                    n.shape(0)->end());
    }
  }
  n.set(0, n.element(0), std::move(shape));
  return {};
}

Status evaluate(Call& call) {
  ASSIGN(const std::size_t batch, batch_dims(call));
  ASSIGN(const Blocks blocks, block_places(call, batch));
  ASSIGN(Tensor* const out, call.make(0, call.input(0).type(), blocks.dims));
  for (std::size_t i = 0; i < blocks.places.size(); ++i)
    copy_elements(call.input(0), blocks.places[i], *out, i * blocks.block, blocks.block);
  return {};
}

}  // namespace

extern const Operator gather_nd = {
    .name = "GatherND",
    .doc = "The slices at rows of coordinates, behind batch axes that both inputs share.",
    .since = 11,
    .inputs = {{"data", 'T', classic(13)}, {"indices", 'I', kInt64}},
    .outputs = {{"output", 'T', classic(13)}},
    .attributes = {{.name = "batch_dims", .fallback = 0, .since = 12}},
    .revisions = {13},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
