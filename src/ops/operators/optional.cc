// A value that may be there, or the lack of one.
#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

const Type* given_type(const Site& site) {
  const ir::Attribute* const type = site.node().attribute("type");
  return type ? std::get_if<Type>(&type->value) : nullptr;
}

Status infer(Inference& n) {
  const Type* const given = given_type(n);
  n.set(0, Type::around(Type::Kind::kOptional, n.has_input(0) ? n.type(0)
                                               : given        ? *given
                                                              : Type()));
  return {};
}

Status evaluate(Call& call) {
  if (!call.has_input(0) && !given_type(call))
    return call.refuse("missing_attribute", {{"name", "type"}});
  std::vector<Datum> item;
  if (call.has_input(0)) item.push_back(call.datum(0));
  call.set(0, Datum::optional(std::move(item)));
  return {};
}

}  // namespace

extern const Operator optional = {
    .name = "Optional",
    .doc = "An optional that holds its input, or nothing of the type that is said.",
    .since = 15,
    .inputs = {{.name = "input",
                .variable = 'V',
                .types = kClassic | since(28, kKnownTypes.all()),
                .kind = kOptional,
                .form = Form::kTensor | Form::kSequence}},
    .outputs = {{.name = "output",
                 .variable = 'O',
                 .types = kClassic | since(28, kKnownTypes.all()),
                 .form = Form::kOptional}},
    .attributes = {{"type"}},
    .revisions = {28},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
