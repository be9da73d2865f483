// The same bits as another element type.
#include "ops/call.h"
#include "ops/inference.h"
#include "ops/term.h"

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

// A cast between whole numbers of one width drops no bits; no operator before looks at those of a
// real number.
Status expand(Expansion& e) {
  ASSIGN(const Term x, term(e, 0));
  const ElementType to = target(e);
  const bool is_whole = kIntegers.has(x.type()) && kIntegers.has(to);
  if (x.type() != to && !(is_whole && ir::bits(x.type()) == ir::bits(to)))
    return e.refuse("bits",
                    {{"from", std::string(ir::name(x.type()))}, {"to", std::string(ir::name(to))}});
  e.set_output(0, x.as(to));
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
    .expand = expand,
};

}  // namespace godwit::ops::operators
