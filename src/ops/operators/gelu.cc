// Gaussian error linear unit, exact or by its tanh approximation.
#include <cmath>
#include <numbers>

#include "ops/elementwise.h"
#include "ops/inference.h"

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
    .flop = flop_per_output<14>,
};

}  // namespace godwit::ops::operators
