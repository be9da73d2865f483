// Random numbers of a normal distribution, of the shape of another tensor.
#include "ops/random.h"

namespace godwit::ops::operators {
namespace {

Status evaluate(Call& call) {
  const double mean = call.number("mean"), scale = call.number("scale");
  return fill_as_named(call, [=](Random& random) { return mean + scale * random.normal(); });
}

}  // namespace

extern const Operator random_normal_like = {
    .name = "RandomNormalLike",
    .doc = "Numbers drawn from a normal distribution, of the shape of the input.",
    .inputs = {{"input", 'X', classic(22)}},
    .outputs = {{"output", 'T', floats(22)}},
    .attributes = {{"dtype"}, {"mean", 0.0f}, {"scale", 1.0f}, {"seed"}},
    .revisions = {22},
    .numerics = Numerics::kRandom,
    .storage = Storage::kAsStored,
    .infer = infer_random_like,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
