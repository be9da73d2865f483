// A sequence without items.
#include "ops/expect.h"
#include "ops/sequence.h"

namespace godwit::ops::operators {
namespace {

ElementType item_type(const Site& site) {
  return site.has("dtype") ? static_cast<ElementType>(site.integer("dtype")) : ElementType::kFloat;
}

Status infer(Inference& n) {
  n.set(0, sequence_of(Type::tensor(item_type(n))));
  return {};
}

Status evaluate(Call& call) {
  if (!kClassic.has(item_type(call))) return refuse_attribute(call, "dtype");
  call.set(0, sequence_of({}, item_type(call)));
  return {};
}

}  // namespace

extern const Operator sequence_empty = {
    .name = "SequenceEmpty",
    .doc = "A sequence of tensors of one type, without any yet.",
    .since = 11,
    .outputs = {{.name = "output", .types = kClassic, .form = Form::kSequence}},
    .attributes = {{"dtype"}},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
