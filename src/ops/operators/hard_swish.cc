// x times a piecewise linear sigmoid.
#include <algorithm>
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"
#include "ops/term.h"

namespace godwit::ops::operators {

namespace {

Status expand(Expansion& e) {
  ASSIGN(const Term x, term(e, 0));
  e.set_output(0, x * x.then("HardSigmoid", {}, {{"alpha", 1.0f / 6}, {"beta", 0.5f}}));
  return {};
}

}  // namespace

extern const Operator hard_swish = {
    .name = "HardSwish",
    .doc = "x * max(0, min(1, x / 6 + 1 / 2)), element by element.",
    .since = 14,
    .inputs = {{"X", 'T', floats(22)}},
    .outputs = {{"Y", 'T', floats(22)}},
    .revisions = {22},
    .numerics = Numerics::kElementwise,
    .infer = same_as_first,
    .evaluate =
        each(Reals(),
             [](auto x) { return x * std::clamp<decltype(x)>(x / 6 + decltype(x)(0.5), 0, 1); }),
    .expand = expand,
    .flop = flop_per_output<4>,
};

}  // namespace godwit::ops::operators
