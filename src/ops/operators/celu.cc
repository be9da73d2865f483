// Exponential linear unit whose slope is continuous for every alpha.
#include <cmath>

#include "ops/elementwise.h"
#include "ops/inference.h"
#include "ops/term.h"

namespace godwit::ops::operators {

namespace {

Status expand(Expansion& e) {
  ASSIGN(const Term x, term(e, 0));
  const double alpha = static_cast<double>(e.number("alpha"));
  e.set_output(0, (x / alpha).then("Elu", {}, {{"alpha", 1.0f}}) * alpha);
  return {};
}

}  // namespace

extern const Operator celu = {
    .name = "Celu",
    .doc = "max(0, x) + min(0, alpha * (exp(x / alpha) - 1)).",
    .since = 12,
    .inputs = {{"X", 'T', kFloat | since(28, kFloats)}},
    .outputs = {{"Y", 'T', kFloat | since(28, kFloats)}},
    .attributes = {{"alpha", 1.0f}},
    .revisions = {28},
    .numerics = Numerics::kTranscendental,
    .infer = same_as_first,
    .evaluate = by_type(Reals(),
                        []<class T>(Call& call) -> Status {
                          const T alpha = static_cast<T>(call.number("alpha"));
                          return unary<T>(
                              call, [=](T x) { return x > 0 ? x : alpha * std::expm1(x / alpha); });
                        }),
    .expand = expand,
    .flop = flop_per_output<4>,
};

}  // namespace godwit::ops::operators
