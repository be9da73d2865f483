// Picks columns by their numbers.
#include "ops/elements.h"
#include "ops/indices.h"
#include "ops/ml.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  std::optional<Shape> shape;
  if (n.shape(0) && n.shape(1) && !n.shape(0)->empty()) {
    shape = *n.shape(0);
    if (shape->size() == 1) shape->insert(shape->begin(), 1);
    shape->back() = ir::count(*n.shape(1));
  }
  n.set(0, n.element(0), std::move(shape));
  return {};
}

Status evaluate(Call& call) {
  TRY(expect_rank_from(call, 0, 1));
  Tensor x = call.input(0);
  if (x.rank() == 1) x = x.reshaped({1, x.dims()[0]});
  Sizes dims = x.dims();
  std::vector<std::size_t> places;
  ASSIGN(const Ints indices, call.integers(1));
  for (const std::int64_t index : indices) {
    ASSIGN(places.emplace_back(), place(call, index, dims.back()));
  }
  dims.back() = static_cast<std::int64_t>(places.size());
  ASSIGN(Tensor out, taken(x, x.rank() - 1, places, std::move(dims)));
  call.set(0, std::move(out));
  return {};
}

}  // namespace

extern const Operator array_feature_extractor = {
    .name = "ArrayFeatureExtractor",
    .domain = ml::kDomain,
    .doc = "The elements at the given places of the last axis.",
    .inputs = {{"X", 'T', ml::kFeatures | kString}, {"Y", 'I', kInt64}},
    .outputs = {{"Z", 'T', ml::kFeatures | kString}},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
