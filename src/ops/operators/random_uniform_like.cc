// Random numbers of a uniform distribution, of the shape of another tensor.
#include "ops/random.h"

namespace godwit::ops::operators {
namespace {

Status evaluate(Call& call) {
  const double low = call.number("low"), high = call.number("high");
  return fill_as_named(call, [=](Random& random) { return low + (high - low) * random.uniform(); });
}

}  // namespace

extern const Operator random_uniform_like = {
    .name = "RandomUniformLike",
    .doc = "Numbers drawn from a uniform distribution, of the shape of the input.",
    .inputs = {{"input", 'X', classic(22)}},
    .outputs = {{"output", 'T', floats(22)}},
    .attributes = {{"dtype"}, {"low", 0.0f}, {"high", 1.0f}, {"seed"}},
    .revisions = {22},
    .numerics = Numerics::kRandom,
    .storage = Storage::kAsStored,
    .infer = infer_random_like,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
