// x times a sigmoid of it; SiLU for alpha 1.
#include "ops/arithmetic.h"
#include "ops/elementwise.h"
#include "ops/inference.h"
#include "ops/term.h"

namespace godwit::ops::operators {

namespace {

Status expand(Expansion& e) {
  ASSIGN(const Term x, term(e, 0));
  const float alpha = e.number("alpha");
  e.set_output(0, x * (alpha == 1 ? x : x * static_cast<double>(alpha)).then("Sigmoid"));
  return {};
}

}  // namespace

extern const Operator swish = {
    .name = "Swish",
    .doc = "x / (1 + exp(-alpha * x)).",
    .since = 24,
    .inputs = {{"X", 'T', kFloats}},
    .outputs = {{"Y", 'T', kFloats}},
    .attributes = {{"alpha", 1.0f}},
    .numerics = Numerics::kTranscendental,
    .infer = same_as_first,
    .evaluate = by_type(Reals(),
                        []<class T>(Call& call) -> Status {
                          const T alpha = static_cast<T>(call.number("alpha"));
                          return unary<T>(call, [=](T x) { return x * logistic(alpha * x); });
                        }),
    .expand = expand,
    .flop = flop_per_output<6>,
};

}  // namespace godwit::ops::operators
