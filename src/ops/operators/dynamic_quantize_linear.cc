// Quantization to eight bits whose scale comes from the values themselves.
#include <algorithm>
#include <cmath>

#include "ops/call.h"
#include "ops/inference.h"

namespace godwit::ops::operators {
namespace {

Status infer(Inference& n) {
  n.set(0, ElementType::kUint8, n.type(0).shape);
  n.set(1, n.element(0), Shape{});
  n.set(2, ElementType::kUint8, Shape{});
  return {};
}

template <class T>
T code(T value, T zero) {
  return std::clamp<T>(std::nearbyint(value) + zero, 0, 255);
}

constexpr auto evaluate = []<class T>(Call& call) -> Status {
  const std::span<const T> x = call.values<T>(0);
  T low = 0, high = 0;  // zero itself must have a code
  for (const T value : x) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  const T scale = high == low ? T(1) : (high - low) / 255;
  const T zero = code(-low / scale, T(0));
  ASSIGN(const std::span<std::uint8_t> y, call.make<std::uint8_t>(0, call.input(0).dims()));
  ASSIGN(const std::span<T> made_scale, call.make<T>(1, {}));
  ASSIGN(const std::span<std::uint8_t> made_zero, call.make<std::uint8_t>(2, {}));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const T value = code(x[i] / scale, zero);
    y[i] = std::isnan(value) ? std::uint8_t{0} : static_cast<std::uint8_t>(value);
  }
  made_scale[0] = scale;
  made_zero[0] = std::isnan(zero) ? std::uint8_t{0} : static_cast<std::uint8_t>(zero);
  return {};
};

}  // namespace

extern const Operator dynamic_quantize_linear = {
    .name = "DynamicQuantizeLinear",
    .doc = "Quantizes to uint8 over the range of the values and zero, and says by which scale.",
    .since = 11,
    .inputs = {{"x", 'T', kFloat}},
    .outputs = {{"y", 'Q', kUint8}, {"y_scale", 'S', kFloat}, {"y_zero_point", 'Q', kUint8}},
    .numerics = Numerics::kQuantize,
    .infer = infer,
    .evaluate = by_type(Reals(), evaluate),
    .flop = flop_per_output<4>,
};

}  // namespace godwit::ops::operators
