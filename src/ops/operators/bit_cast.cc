// The same bits as another element type.
#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

ElementType target(const Site& site) { return static_cast<ElementType>(site.integer("to")); }

Status infer(Inference& n) {
  n.set(0, target(n), n.type(0).shape);
  return {};
}

Status evaluate(Call& call) {
  const Tensor& x = call.input(0);
  if (ir::bits(target(call)) == 0 || ir::bits(target(call)) != ir::bits(x.type()))
    return call.refuse("type", {{"type", std::string(ir::name(target(call)))}});
  call.set(0, x.as(target(call)));
  return {};
}

}  // namespace

extern const Operator bit_cast = {
    .name = "BitCast",
    .doc = "Takes the bits of every element as another type of the same width.",
    .since = 26,
    .inputs = {{"input", 'T', kAnyTensor - kString}},
    .outputs = {{"output", 'U', kAnyTensor - kString}},
    .attributes = {{"to", kMustBeThere}},
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
