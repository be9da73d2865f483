// The value that an optional holds.
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/sequence.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  const bool is_optional = n.type(0).kind == Type::Kind::kOptional;
  n.set(0, is_optional ? inner_type(n.type(0)) : n.type(0));
  return {};
}

Status evaluate(Call& call) {
  const Datum& given = call.datum(0);
  const bool is_optional = given.kind == Datum::Kind::kOptional;
  if (is_optional && given.items.empty()) return refuse_empty(call, {0});
  call.set(0, is_optional ? given.items[0] : given);
  return {};
}

}  // namespace

extern const Operator optional_get_element = {
    .name = "OptionalGetElement",
    .doc = "What an optional holds; since opset 18 anything else passes as it is.",
    .since = 15,
    .inputs = {{.name = "input",
                .variable = 'O',
                .types = kClassic | since(28, kKnownTypes.all()),
                .form = Form::kOptional | since(18, Form::kTensor) | since(18, Form::kSequence)}},
    .outputs = {{.name = "output",
                 .variable = 'V',
                 .types = kClassic | since(28, kKnownTypes.all()),
                 .form = Form::kTensor | Form::kSequence}},
    .revisions = {18, 28},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
