// The same values as the element type of another tensor.
#include "ops/cast.h"
#include "ops/expect.h"
#include "ops/inference.h"
#include "ops/term.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  n.set(0, n.element(1), n.type(0).shape);
  return {};
}

Status evaluate(Call& call) {
  ASSIGN(const CastRules rules, read_cast_rules(call));
  ASSIGN(Tensor out, ops::cast(call, call.input(0), call.input(1).type(), rules));
  call.set(0, std::move(out));
  return {};
}

Status expand(Expansion& e) {
  ASSIGN(const ElementType type, e.known_element(1));
  // Cast has these since opset 19 and 24.
  if (e.opset() >= 19 && !e.flag("saturate")) return refuse_attribute(e, "saturate");
  if (e.has("round_mode")) return refuse_attribute(e, "round_mode");
  e.set_output(0, e.add("Cast", {e.input(0)}, {{"to", static_cast<std::int64_t>(type)}}));
  return {};
}

}  // namespace

extern const Operator cast_like = {
    .name = "CastLike",
    .doc = "Converts every element to the type of the second input.",
    .since = 15,
    .inputs = {{"input", 'T', kNumbers | kBool | kString | since(19, kFloat8) | kPackedTypes},
               {"target_type", 'U',
                kNumbers | kBool | kString | since(19, kFloat8) | kPackedTypes}},
    .outputs = {{"output", 'U', kNumbers | kBool | kString | since(19, kFloat8) | kPackedTypes}},
    .attributes = {{.name = "saturate", .fallback = 1, .since = 19},
                   {.name = "round_mode", .fallback = "up", .since = 24}},
    .revisions = {19, 21, 23, 24, 25},
    .numerics = Numerics::kCast,
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
    .expand = expand,
};

}  // namespace godwit::ops::operators
