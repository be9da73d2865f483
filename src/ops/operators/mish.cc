// x * tanh(softplus(x)).
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"
#include "ops/term.h"

namespace godwit::ops::operators {

namespace {

Status expand(Expansion& e) {
  ASSIGN(const Term x, term(e, 0));
  e.set_output(0, x * x.then("Softplus").then("Tanh"));
  return {};
}

}  // namespace

extern const Operator mish = {
    .name = "Mish",
    .doc = "x * tanh(log(1 + exp(x))), element by element.",
    .since = 18,
    .inputs = {{"X", 'T', floats(22)}},
    .outputs = {{"Y", 'T', floats(22)}},
    .revisions = {22},
    .numerics = Numerics::kTranscendental,
    .infer = same_as_first,
    .evaluate = each(Reals(),
                     [](auto x) {
                       return x * std::tanh(std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x))));
                     }),
    .expand = expand,
    .flop = flop_per_output<15>,
};

}  // namespace godwit::ops::operators
