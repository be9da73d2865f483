// Reading tensors as numbers, and the spacing of floating types.
#include "compare/pair.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ir/number.h"

namespace godwit::compare {
namespace {

using ir::ElementType;

struct Spacing {
  int mantissa_bits, least_exponent;
};

std::optional<Spacing> spacing(ElementType type) {
  if (type == ElementType::kFloat) return Spacing{23, -126};
  if (type == ElementType::kDouble) return Spacing{52, -1022};
  const ir::FloatFormat* const format = ir::float_format(type);
  if (!format) return std::nullopt;
  // Without a mantissa there are no subnormal numbers: the exponent 0 is one like any other.
  return Spacing{format->mantissa_bits, (format->mantissa_bits > 0 ? 1 : 0) - format->bias};
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

Ulps::Ulps(ElementType type) {
  const std::optional<Spacing> s = spacing(type);
  if (!s) return;
  is_floating_ = true;
  mantissa_bits_ = s->mantissa_bits;
  least_exponent_ = s->least_exponent;
}

double ulp(ElementType type, double value) { return Ulps(type)(value); }

double largest(ElementType type) {
  if (type == ElementType::kFloat) return std::numeric_limits<float>::max();
  constexpr double kMost = std::numeric_limits<double>::max();
  if (type == ElementType::kDouble) return kMost;
  const ir::FloatFormat* const format = ir::float_format(type);
  return format ? ir::decode(*format, ir::encode(*format, kMost, ir::Overflow::kSaturate)) : 0;
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
