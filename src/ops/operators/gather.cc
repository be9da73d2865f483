// Picks slices of a tensor by their places along an axis.
#include "ops/elements.h"
#include "ops/indices.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

// The axis gives way to the axes of the indices.
template <class Row>
Row replaced(const Row& data, std::size_t axis, const Row& indices) {
  Row out(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(axis));
  out.insert(out.end(), indices.begin(), indices.end());
  out.insert(out.end(), data.begin() + static_cast<std::ptrdiff_t>(axis) + 1, data.end());
  return out;
}

Status infer(Inference& n) {
  std::optional<Shape> shape;
  if (n.shape(0)) {
    ASSIGN(const std::size_t axis, n.axis("axis", n.shape(0)->size()));
    if (n.shape(1)) shape = replaced(*n.shape(0), axis, *n.shape(1));
  }
  n.set(0, n.element(0), std::move(shape));
  const std::optional<Content> content = n.content(0);
  const std::optional<Ints> indices = n.integers(1);
  if (!content || !indices || !n.shape(0) || n.shape(0)->size() != 1) return {};
  Content picked;
  for (const std::int64_t index : *indices) {
    ASSIGN(const std::size_t at, place(n, index, static_cast<std::int64_t>(content->size())));
    picked.push_back((*content)[at]);
  }
  n.set_content(0, std::move(picked));
  return {};
}

Status evaluate(Call& call) {
  const Tensor& x = call.input(0);
  ASSIGN(const std::size_t axis, call.axis("axis", x.rank()));
  ASSIGN(const Ints indices, call.integers(1));
  std::vector<std::size_t> places;
  for (const std::int64_t index : indices) {
    ASSIGN(places.emplace_back(), place(call, index, x.dims()[axis]));
  }
  ASSIGN(Tensor out, taken(x, axis, places, replaced(x.dims(), axis, call.input(1).dims())));
  call.set(0, std::move(out));
  return {};
}

}  // namespace

extern const Operator gather = {
    .name = "Gather",
    .doc = "The slices at the given places along one axis.",
    .inputs = {{"data", 'T', classic(13)}, {"indices", 'I', kIndices}},
    .outputs = {{"output", 'T', classic(13)}},
    .attributes = {{"axis", 0}},
    .revisions = {11, 13},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
