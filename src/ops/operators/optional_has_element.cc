// Whether an optional holds a value.
#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

bool holds(const Call& call) {
  if (!call.has_input(0)) return false;
  const Datum& given = call.datum(0);
  return given.kind != Datum::Kind::kOptional || !given.items.empty();
}

}  // namespace

extern const Operator optional_has_element = {
    .name = "OptionalHasElement",
    .doc = "Whether there is a value: in an optional, or, since opset 18, as an input at all.",
    .since = 15,
    .inputs = {{.name = "input",
                .variable = 'O',
                .types = kClassic | since(28, kKnownTypes.all()),
                .until = 17,
                .form = Form::kOptional},
               {.name = "input",
                .variable = 'O',
                .types = kClassic | since(28, kKnownTypes.all()),
                .kind = kOptional,
                .since = 18,
                .form = Form::kOptional | Form::kTensor | Form::kSequence}},
    .outputs = {{"output", 'B', kBool}},
    .revisions = {18, 28},
    .storage = Storage::kAsStored,
    .infer = [](Inference& n) -> Status {
      n.set(0, ElementType::kBool, Shape{});
      return {};
    },
    .evaluate = [](Call& call) -> Status {
      ASSIGN(const std::span<bool> out, call.make<bool>(0, {}));
      out[0] = holds(call);
      return {};
    },
};

}  // namespace godwit::ops::operators
