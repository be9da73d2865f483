// Remainder of a division, with the sign of either side.
#include <algorithm>
#include <cmath>

#include "ops/arithmetic.h"
#include "ops/contents.h"
#include "ops/elementwise.h"

namespace godwit::ops::operators {
namespace {

constexpr auto floored = [](Dim a, Dim b) { return a - floor_div(a, b) * b; };

// The remainder with the sign of the divisor; of zero, too.
template <class T>
T floored_remainder(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    const T rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(T(0), b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
  } else {
    const T rest = remainder(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
  }
}

template <class T>
T cut_remainder(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fmod(a, b);
  else
    return remainder(a, b);
}

constexpr auto evaluate = []<class T>(Call& call) -> Status {
  if constexpr (std::is_integral_v<T>) {
    const std::span<const T> b = call.values<T>(1);
    if (std::find(b.begin(), b.end(), T(0)) != b.end()) return call.refuse("zero");
  }
  return call.flag("fmod") ? binary<T>(call, cut_remainder<T>)
                           : binary<T>(call, floored_remainder<T>);
};

}  // namespace

extern const Operator mod = {
    .name = "Mod",
    .doc = "a - floor(a / b) * b; with fmod, a - trunc(a / b) * b.",
    .since = 10,
    .inputs = {{"A", 'T', numbers(13)}, {"B", 'T', numbers(13)}},
    .outputs = {{"C", 'T', numbers(13)}},
    .attributes = {{"fmod", 0}},
    .revisions = {13, 28},
    .numerics = Numerics::kElementwise,
    .infer = broadcasting(floored),
    .evaluate = by_type(Numbers(), evaluate),
    .flop = flop_per_output<2>,
};

}  // namespace godwit::ops::operators
