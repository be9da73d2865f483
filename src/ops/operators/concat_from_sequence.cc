// Joins the items of a sequence along an axis, or along a new one.
#include "ops/elements.h"
#include "ops/expect.h"
#include "ops/scan.h"
#include "ops/sequence.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  const Type item = inner_type(n.type(0));
  Type out = Type::tensor(item.element, item.shape);
  if (n.flag("new_axis")) {
    ASSIGN(out, stacked_type(n, out, n.integer("axis"), Dim::unknown()));
  } else if (out.shape) {
    ASSIGN(const std::size_t axis, n.axis("axis", out.shape->size()));
    (*out.shape)[axis] = Dim::unknown();
  }
  n.set(0, std::move(out));
  return {};
}

Status evaluate(Call& call) {
  const std::vector<Datum>& items = call.datum(0).items;
  if (items.empty()) return refuse_empty(call, {0});
  if (call.flag("new_axis")) {
    ASSIGN(Tensor out, stacked(call, items, call.integer("axis"), {}));
    call.set(0, std::move(out));
    return {};
  }
  const Tensor& first = items[0].tensor;
  ASSIGN(const std::size_t axis, call.axis("axis", first.rank()));
  std::vector<Tensor> parts;
  for (const Datum& item : items) {
    Sizes like = item.tensor.dims();
    if (like.size() == first.rank()) like[axis] = first.dims()[axis];
    if (like != first.dims()) return refuse_shapes(call, first.dims(), item.tensor.dims());
    if (item.tensor.type() != first.type())
      return call.refuse("type", {{"type", std::string(ir::name(item.tensor.type()))}});
    parts.push_back(item.tensor);
  }
  ASSIGN(Tensor out, joined(parts, axis));
  call.set(0, std::move(out));
  return {};
}

}  // namespace

extern const Operator concat_from_sequence = {
    .name = "ConcatFromSequence",
    .doc = "The items of a sequence joined along one axis, or stacked along a new one.",
    .since = 11,
    .inputs = {{.name = "input_sequence", .types = kClassic, .form = Form::kSequence}},
    .outputs = {{"concat_result", 'T', kClassic}},
    .attributes = {{"axis", kMustBeThere}, {"new_axis", 0}},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
