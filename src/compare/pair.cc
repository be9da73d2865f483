// Reading tensors as numbers, and the spacing of floating types.
#include "compare/pair.h"

#include <algorithm>
#include <cmath>

namespace godwit::compare {
namespace {

using ir::ElementType;

struct Spacing {
  int mantissa_bits, least_exponent;
  double largest;
};

std::optional<Spacing> spacing(ElementType type) {
  switch (type) {
    case ElementType::kFloat16: return Spacing{10, -14, 65504};
    case ElementType::kBfloat16: return Spacing{7, -126, 0x1.fep127};
    case ElementType::kFloat: return Spacing{23, -126, 0x1.fffffep127};
    case ElementType::kDouble: return Spacing{52, -1022, 0x1.fffffffffffffp1023};
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<std::vector<double>> numbers(const ir::Tensor& tensor) {
  if (tensor.type() == ElementType::kFloat) {
    const auto values = tensor.values<float>();
    return std::vector<double>(values.begin(), values.end());
  }
  if (tensor.type() == ElementType::kDouble) {
    const auto values = tensor.values<double>();
    return std::vector<double>(values.begin(), values.end());
  }
  return to_doubles(tensor);
}

double ulp(ElementType type, double value) {
  const std::optional<Spacing> s = spacing(type);
  if (!s || !std::isfinite(value)) return 0;
  const int exponent = value == 0 ? s->least_exponent : std::ilogb(value);
  return std::ldexp(1.0, std::max(exponent, s->least_exponent) - s->mantissa_bits);
}

double largest(ElementType type) {
  const std::optional<Spacing> s = spacing(type);
  return s ? s->largest : 0;
}

double unit_roundoff(ElementType type) {
  const std::optional<Spacing> s = spacing(type);
  return s ? std::ldexp(1.0, -s->mantissa_bits - 1) : 0;
}

double rms(std::span<const double> values) {
  double sum = 0;
  std::size_t count = 0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    sum += value * value;
    ++count;
  }
  return count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
}

}  // namespace godwit::compare
