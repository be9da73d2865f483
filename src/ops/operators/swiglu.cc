// A gate by Swish of one half of a projection on the other half.
#include "ops/arithmetic.h"
#include "ops/elementwise.h"
#include "ops/inference.h"
#include "ops/term.h"

namespace godwit::ops::operators {

namespace {

Status expand(Expansion& e) {
  ASSIGN(const Term a, term(e, 0));
  const float alpha = e.number("alpha");
  const Term gate = (alpha == 1 ? a : a * static_cast<double>(alpha)).then("Sigmoid");
  e.set_output(0, (a * gate).then("Mul", {e.input(1)}));
  return {};
}

}  // namespace

extern const Operator swiglu = {
    .name = "SwiGLU",
    .doc = "Swish(A) * B, of two tensors of one shape.",
    .since = 28,
    .inputs = {{"A", 'T', kFloats}, {"B", 'T', kFloats}},
    .outputs = {{"Y", 'T', kFloats}},
    .attributes = {{"alpha", 1.0f}},
    .numerics = Numerics::kTranscendental,
    .infer = same_as_first,
    .evaluate =
        by_type(Reals(),
                []<class T>(Call& call) -> Status {
                  if (call.input(0).dims() != call.input(1).dims())
                    return call.refuse("shape", {{"a", ir::to_string(call.input(0).dims())},
                                                 {"b", ir::to_string(call.input(1).dims())}});
                  const auto alpha = static_cast<T>(call.number("alpha"));
                  return binary<T>(call, [=](T a, T b) { return a * logistic(alpha * a) * b; });
                }),
    .expand = expand,
    .flop = flop_per_output<7>,
};

}  // namespace godwit::ops::operators
