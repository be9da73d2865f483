// The same values as another element type.
#include "ops/cast.h"

#include <string>

#include "base/text.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

// Opsets before 6 name the type.
ElementType target(const Site& site) {
  if (site.opset() < 6) return ir::element_type(to_lower(site.text("to")));
  return static_cast<ElementType>(site.integer("to"));
}

bool is_whole(ElementType type) { return ir::is_integer(type) || type == ElementType::kBool; }

Status infer(Inference& n) {
  n.set(0, target(n), n.type(0).shape);
  const std::optional<Content> content = n.content(0);
  if (content && is_whole(n.element(0)) && ir::is_integer(target(n))) n.set_content(0, *content);
  return {};
}

Status evaluate(Call& call) {
  ASSIGN(const CastRules rules, read_cast_rules(call));
  ASSIGN(Tensor out, ops::cast(call, call.input(0), target(call), rules));
  call.set(0, std::move(out));
  return {};
}

}  // namespace

extern const Operator cast = {
    .name = "Cast",
    .doc = "Converts every element; out-of-range numbers wrap, overflow or saturate by their type.",
    .inputs = {{"input", 'T',
                kClassicNumbers | kBool | since(9, kString) | since(13, kBfloat16) |
                    since(19, kFloat8) | kPackedTypes | since(28, kFloat6)}},
    .outputs = {{"output", 'U',
                 kClassicNumbers | kBool | since(9, kString) | since(13, kBfloat16) |
                     since(19, kFloat8) | kPackedTypes | since(28, kFloat6)}},
    .attributes = {{"to", kMustBeThere},
                   {.name = "saturate", .fallback = 1, .since = 19},
                   {.name = "round_mode", .fallback = "up", .since = 24}},
    .revisions = {6, 9, 13, 19, 21, 23, 24, 25, 28},
    .numerics = Numerics::kCast,
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
