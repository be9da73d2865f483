// Tensors one behind the other along an axis.
#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

// Sizes along the axis add up; the others are the same, so one that is known settles them.
Result<Shape> joined_shape(Inference& n, const Shape& first) {
  ASSIGN(const std::size_t axis, n.axis("axis", first.size()));
  Shape out = first;
  Dim length = 0;
  for (std::size_t i = 0; i < n.inputs(); ++i) {
    const Shape* const shape = n.shape(i);
    if (shape && shape->size() != first.size())
      return n.refuse("shape", {{"a", to_string(first)}, {"b", to_string(*shape)}});
    length = length + (shape ? (*shape)[axis] : Dim::unknown());
    for (std::size_t k = 0; shape && k < out.size(); ++k) {
      if (k == axis || out[k] == (*shape)[k]) continue;
      if (out[k].is_known() && (*shape)[k].is_known())
        return n.refuse("shape", {{"a", to_string(first)}, {"b", to_string(*shape)}});
      if ((*shape)[k].is_known()) out[k] = (*shape)[k];
    }
  }
  out[axis] = length;
  return out;
}

Status infer(Inference& n) {
  const Shape* first = nullptr;
  Content content;
  bool is_list = true;
  for (std::size_t i = 0; i < n.inputs(); ++i) {
    if (!first) first = n.shape(i);
    const std::optional<Content> part = n.content(i);
    is_list = is_list && part && n.shape(i) && n.shape(i)->size() == 1;
    if (is_list) content.insert(content.end(), part->begin(), part->end());
  }
  std::optional<Shape> shape;
  if (first) {
    ASSIGN(shape, joined_shape(n, *first));
  }
  n.set(0, n.element(0), std::move(shape));
  if (is_list) n.set_content(0, std::move(content));
  return {};
}

Status evaluate(Call& call) {
  const Sizes& first = call.input(0).dims();
  ASSIGN(const std::size_t axis, call.axis("axis", first.size()));
  std::vector<Tensor> parts;
  for (std::size_t i = 0; i < call.inputs(); ++i) {
    Sizes like = call.input(i).dims();
    if (like.size() == first.size()) like[axis] = first[axis];
    if (like != first) return refuse_shapes(call, first, call.input(i).dims());
    parts.push_back(call.input(i));
  }
  ASSIGN(Tensor out, joined(parts, axis));
  call.set(0, std::move(out));
  return {};
}

}  // namespace

extern const Operator concat = {
    .name = "Concat",
    .doc = "Tensors one behind the other along one axis.",
    .inputs = {{"inputs", 'T', floats(13) | since(4, kClassic), kVariadic}},
    .outputs = {{"concat_result", 'T', floats(13) | since(4, kClassic)}},
    .attributes = {{.name = "axis", .fallback = 1, .until = 3},
                   {.name = "axis", .fallback = kMustBeThere, .since = 4}},
    .revisions = {11, 13},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
