// One value repeated over a shape.
#include "ops/elements.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

// The one element to repeat; a float zero unless the node says another.
Result<Tensor> value_of(const Site& site) {
  const Tensor* const given = site.tensor("value");
  if (!given) return Tensor::scalar(0.0f);
  if (given->count() != 1)
    return site.refuse("shape", {{"a", ir::to_string(given->dims())}, {"b", "[1]"}});
  return given->aligned();
}

Status infer(Inference& n) {
  ASSIGN(const Tensor value, value_of(n));
  const std::optional<Content> dims = n.content(0);
  std::optional<Shape> shape;
  if (dims) shape = *dims;
  if (!dims && n.shape(0) && n.shape(0)->size() == 1 && n.shape(0)->front().is_known())
    shape = shape_of_rank(n.shape(0)->front().value());
  n.set(0, value.type(), shape);
  const std::optional<Ints> number = to_integers(value);
  if (!dims || !number || dims->size() > 1) return {};
  const Dim count = ir::count(*dims);
  if (count.is_known() && count.value() >= 0 && count.value() <= kMostContent)
    n.set_content(0, Content(static_cast<std::size_t>(count.value()), number->front()));
  return {};
}

Status evaluate(Call& call) {
  ASSIGN(const Tensor value, value_of(call));
  ASSIGN(Ints dims, call.integers(0));
  ASSIGN(Tensor out, filled(value, 0, std::move(dims)));
  call.set(0, std::move(out));
  return {};
}

}  // namespace

extern const Operator constant_of_shape = {
    .name = "ConstantOfShape",
    .doc = "A tensor of the given shape, filled with one value.",
    .since = 9,
    .inputs = {{"input", 'S', kInt64}},
    .outputs = {{"output", 'T',
                 kClassicNumbers | kBool | since(20, kBfloat16 | kFloat8) | kPackedTypes}},
    .attributes = {{"value"}},
    .revisions = {20, 21, 23, 24, 25},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
