// Draws ones and zeros by the probabilities of ones.
#include "ops/random.h"
#include "ops/term.h"

namespace godwit::ops::operators {
namespace {

constexpr ElementType kDrawn = ElementType::kFloat;

Status evaluate(Call& call) {
  const Tensor& p = call.input(0);
  return fill_random(call, p.type(), p.dims(), [&](Random& random, std::size_t i) {
    return random.uniform() < ir::number_at(p.type(), p.data(), i) ? 1.0 : 0.0;
  });
}

Status expand(Expansion& e) {
  ASSIGN(const Term p, term(e, 0));
  std::vector<ir::Attribute> attributes = {{"dtype", static_cast<std::int64_t>(kDrawn)}};
  if (e.has("seed")) attributes.push_back({"seed", e.number("seed")});
  const Term drawn(e, e.add("RandomUniformLike", {p}, std::move(attributes)), kDrawn);
  const auto said = static_cast<ElementType>(e.integer("dtype"));
  e.set_output(0, drawn.against("Less", p.as(kDrawn)).as(e.has("dtype") ? said : p.type()));
  return {};
}

}  // namespace

extern const Operator bernoulli = {
    .name = "Bernoulli",
    .doc = "1 with the probability that the input gives, else 0.",
    .since = 15,
    .inputs = {{"input", 'P', floats(22)}},
    .outputs = {{"output", 'T', kNumbers | kBool}},
    .attributes = {{"dtype"}, {"seed"}},
    .revisions = {22},
    .numerics = Numerics::kRandom,
    .storage = Storage::kAsStored,
    .infer = infer_random_like,
    .evaluate = evaluate,
    .expand = expand,
};

}  // namespace godwit::ops::operators
