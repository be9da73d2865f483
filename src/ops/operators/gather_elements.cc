// Picks one element for each index, along an axis.
#include "ops/elements.h"
#include "ops/indices.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  std::optional<Shape> shape;
  if (n.shape(1)) shape = *n.shape(1);
  n.set(0, n.element(0), std::move(shape));
  return {};
}

Status evaluate(Call& call) {
  const Tensor& x = call.input(0);
  const Sizes& dims = call.input(1).dims();
  ASSIGN(const std::size_t axis, call.axis("axis", x.rank()));
  ASSIGN(const std::vector<std::size_t> places, element_places(call, axis));
  ASSIGN(Tensor* const out, call.make(0, x.type(), dims));
  for (std::size_t i = 0; i < places.size(); ++i) copy_elements(x, places[i], *out, i);
  return {};
}

}  // namespace

extern const Operator gather_elements = {
    .name = "GatherElements",
    .doc =
        "The element at each index along one axis; the other coordinates are those of the index.",
    .since = 11,
    .inputs = {{"data", 'T', classic(13)}, {"indices", 'I', kIndices}},
    .outputs = {{"output", 'T', classic(13)}},
    .attributes = {{"axis", 0}},
    .revisions = {13},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
