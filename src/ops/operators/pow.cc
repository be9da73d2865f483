// Powers with an exponent for every element.
#include <cmath>

#include "ir/number.h"
#include "ops/arithmetic.h"
#include "ops/elementwise.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

// By repeated squaring; wraps around as products do. A negative exponent leaves whole numbers only
// where the base is 1 or -1.
template <class T>
T whole_power(T base, std::int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    const bool is_minus_one = wrapping_add(base, T(1)) == 0 && std::is_signed_v<T>;
    return is_minus_one ? static_cast<T>(exponent % 2 ? -1 : 1) : T(0);
  }
  T out = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2) out = wrapping_multiply(out, base);
    base = wrapping_multiply(base, base);
  }
  return out;
}

// Exponents have a type of their own.
template <class T, class Exponent, class F>
Status raise(Call& call, const std::vector<Exponent>& exponents, F&& power) {
  ASSIGN(const Sizes b_dims, second_sizes(call));
  const std::optional<Sizes> dims = broadcast(call.input(0).dims(), b_dims);
  if (!dims) return broadcast_inputs(call, 0, 1).map([](const Sizes&) {});
  const std::span<const T> x = call.values<T>(0);
  ASSIGN(const std::span<T> z, call.make<T>(0, *dims));
  Odometer at(*dims,
              {broadcast_strides(call.input(0).dims(), *dims), broadcast_strides(b_dims, *dims)});
  for (std::size_t i = 0; !at.done(); at.next(), ++i)
    z[i] = power(x[at.offset(0)], exponents[at.offset(1)]);
  return {};
}

constexpr auto evaluate = []<class T>(Call& call) -> Status {
  if constexpr (std::is_integral_v<T>) {
    if (const auto exponents = to_integers(call.input(1)))
      return raise<T>(call, *exponents, whole_power<T>);
  }
  const auto exponents = to_doubles(call.input(1));
  if (!exponents)
    return call.refuse("type", {{"type", std::string(ir::name(call.input(1).type()))}});
  return raise<T>(call, *exponents, [](T x, double by) {
    T out{};
    const double power = std::pow(static_cast<double>(x), by);
    ir::store(ir::kElement<T>, reinterpret_cast<std::byte*>(&out), 0, power,
              ir::Overflow::kToInfinity);
    return out;
  });
};

}  // namespace

extern const Operator pow = {
    .name = "Pow",
    .doc = "x to the power of y, with broadcasting; the result has the type of x.",
    .inputs = {{"X", 'T', floats(13) | since(12, kIndices)},
               {"Y", 'E', floats(15) | since(12, kIntegers)}},
    .outputs = {{"Z", 'T', floats(13) | since(12, kIndices)}},
    .attributes = {{.name = "axis", .until = 6}, {.name = "broadcast", .fallback = 0, .until = 6}},
    .revisions = {7, 12, 13, 15},
    .numerics = Numerics::kTranscendental,
    .infer = broadcast_numbers,
    .evaluate = by_type(Types<float, double, std::int32_t, std::int64_t>(), evaluate),
    .flop = flop_per_output<20>,
};

}  // namespace godwit::ops::operators
