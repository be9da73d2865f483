// Draws ones and zeros by the probabilities of ones.
#include "ops/random.h"

namespace godwit::ops::operators {
namespace {

Status evaluate(Call& call) {
  const Tensor& p = call.input(0);
  return fill_random(call, p.type(), p.dims(), [&](Random& random, std::size_t i) {
    return random.uniform() < ir::number_at(p.type(), p.data(), i) ? 1.0 : 0.0;
  });
}

}  // namespace

extern const Operator bernoulli = {
    .name = "Bernoulli",
    .doc = "1 with the probability that the input gives, else 0.",
    .since = 15,
    .inputs = {{"input", 'P', kFloats}},
    .outputs = {{"output", 'T', kNumbers | kBool}},
    .attributes = {{"dtype"}, {"seed"}},
    .revisions = {22},
    .numerics = Numerics::kRandom,
    .storage = Storage::kAsStored,
    .infer = infer_random_like,
    .evaluate = evaluate,
};

}  // namespace godwit::ops::operators
