// Random numbers of a uniform distribution.
#include "ops/random.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  const Ints dims = n.integers("shape");
  n.set(0, static_cast<ElementType>(n.integer("dtype")), Shape(dims.begin(), dims.end()));
  return {};
}

Status evaluate(Call& call) {
  const double low = call.number("low"), high = call.number("high");
  return fill_as_named(call, [=](Random& random) { return low + (high - low) * random.uniform(); });
}

}  // namespace

extern const Operator random_uniform = {
    .name = "RandomUniform",
    .doc = "Numbers drawn from a uniform distribution, of the shape that an attribute names.",
    .inputs = {},
    .outputs = {{"output", 'T', floats(22)}},
    .attributes = {{"dtype", 1}, {"low", 0.0f}, {"high", 1.0f}, {"seed"}, {"shape", kMustBeThere}},
    .revisions = {22},
    .numerics = Numerics::kRandom,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
