// Two versions of one tensor, element by element.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ir/tensor.h"

namespace godwit::compare {

/// Both sides as numbers; spans of equal length.
struct Pair {
  std::span<const double> reference;
  std::span<const double> found;
  /// The type that `found` is stored in: its spacing is what an ULP means.
  ir::ElementType stored = ir::ElementType::kFloat;
};

/// The elements of a tensor as numbers. Nothing for strings and complex numbers.
std::optional<std::vector<double>> numbers(const ir::Tensor& tensor);

/// Distance from |value| to the next larger number of the type; that of the smallest normal number
/// below it. 0 of integers.
double ulp(ir::ElementType type, double value);

/// The same for many values of one type: by the bits of each value.
class Ulps {
 public:
  explicit Ulps(ir::ElementType type);
  double operator()(double value) const {
    constexpr int kBias = 1023, kMantissa = 52;
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const int exponent = static_cast<int>(bits >> kMantissa & 0x7ff);
    if (exponent == 0x7ff || !is_floating_) return 0;
    const int unit = std::max(exponent - kBias, least_exponent_) - mantissa_bits_;
    if (unit <= -kBias) return std::ldexp(1.0, unit);
    return std::bit_cast<double>(static_cast<std::uint64_t>(unit + kBias) << kMantissa);
  }

 private:
  bool is_floating_ = false;
  int mantissa_bits_ = 0, least_exponent_ = 0;
};

/// The largest finite number of a floating type; 0 of others.
double largest(ir::ElementType type);

/// Half a unit in the last place of 1: the relative error of one rounding. 0 of integers.
double unit_roundoff(ir::ElementType type);

/// Root of the mean square of finite values.
double rms(std::span<const double> values);

}  // namespace godwit::compare
