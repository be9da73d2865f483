// Two versions of one tensor, element by element.
#pragma once

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

/// The largest finite number of a floating type; 0 of others.
double largest(ir::ElementType type);

/// Half a unit in the last place of 1: the relative error of one rounding. 0 of integers.
double unit_roundoff(ir::ElementType type);

/// Root of the mean square of finite values.
double rms(std::span<const double> values);

}  // namespace godwit::compare
