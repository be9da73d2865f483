// Gaussian error linear unit, exact or by its tanh approximation.
#include <cmath>
#include <numbers>

#include "ops/elementwise.h"
#include "ops/inference.h"
#include "ops/term.h"

namespace godwit::ops::operators {
namespace {

template <class T>
T exact(T x) {
  return x / 2 * (1 + std::erf(x * static_cast<T>(1 / std::numbers::sqrt2)));
}

template <class T>
T approximated(T x) {
  const T inner = static_cast<T>(std::numbers::inv_sqrtpi * std::numbers::sqrt2);
  return x / 2 * (1 + std::tanh(inner * (x + static_cast<T>(0.044715) * x * x * x)));
}

Status expand(Expansion& e) {
  ASSIGN(const Term x, term(e, 0));
  const bool is_exact = e.text("approximate") == "none";
  const double inner = std::numbers::inv_sqrtpi * std::numbers::sqrt2;
  const Term gate = is_exact ? (x / std::numbers::sqrt2).then("Erf")
                             : ((x + x * x * x * 0.044715) * inner).then("Tanh");
  e.set_output(0, x * 0.5 * (gate + 1.0));
  return {};
}

}  // namespace

extern const Operator gelu = {
    .name = "Gelu",
    .doc = "x times the share of a standard normal distribution below x.",
    .since = 20,
    .inputs = {{"X", 'T', kFloats}},
    .outputs = {{"Y", 'T', kFloats}},
    .attributes = {{"approximate", "none"}},
    .numerics = Numerics::kGelu,
    .infer = same_as_first,
    .evaluate = by_type(
        Reals(),
        []<class T>(Call& call) -> Status {
          const std::string_view how = call.text("approximate");
          if (how == "none") return unary<T>(call, exact<T>);
          if (how == "tanh") return unary<T>(call, approximated<T>);
          return call.refuse("attribute", {{"name", "approximate"}, {"value", std::string(how)}});
        }),
    .expand = expand,
    .flop = flop_per_output<14>,
};

}  // namespace godwit::ops::operators
