// Random numbers of a normal distribution.
#include "ops/random.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  const Ints dims = n.integers("shape");
  n.set(0, static_cast<ElementType>(n.integer("dtype")), Shape(dims.begin(), dims.end()));
  return {};
}

Status evaluate(Call& call) {
  const double mean = call.number("mean"), scale = call.number("scale");
  return fill_as_named(call, [=](Random& random) { return mean + scale * random.normal(); });
}

}  // namespace

extern const Operator random_normal = {
    .name = "RandomNormal",
    .doc = "Numbers drawn from a normal distribution, of the shape that an attribute names.",
    .inputs = {},
    .outputs = {{"output", 'T', floats(22)}},
    .attributes =
        {{"dtype", 1}, {"mean", 0.0f}, {"scale", 1.0f}, {"seed"}, {"shape", kMustBeThere}},
    .revisions = {22},
    .numerics = Numerics::kRandom,
    .infer = infer,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
