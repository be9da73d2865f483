// Whole numbers that stand for real ones by a scale and a zero point: what the quantized operators
// share.
#pragma once

#include <vector>

#include "ops/cast.h"
#include "ops/inference.h"

namespace godwit::ops {

/// What stands for real numbers, and the scales.
inline constexpr TypeHistory kCodes = kBytes | since(19, kFloat8) | since(21, kInt16s | kInt4s) |
                                      since(23, kFloat4) | since(25, kInt2s) | since(28, kFloat6);
inline constexpr TypeHistory kScales = kFloat | since(19, kSingles) | since(24, kScaleFloat8);

/// Which element of a scale belongs to an element of the tensor that it scales: the only one, the
/// one of its place along an axis, or the one of its block.
class ScaleOf {
 public:
  /// Errors: E151 a scale (input `scale`) whose sizes do not fit input 0 and the attributes.
  static Result<ScaleOf> read(const Call& call, std::size_t scale);
  std::size_t operator[](std::size_t element) const {
    if (count_ == 1) return 0;
    const std::size_t place = element / inner_ % size_ / block_;
    if (!is_blocked_) return place;
    return (element / inner_ / size_ * count_ + place) * inner_ + element % inner_;
  }

 private:
  std::size_t inner_ = 1, size_ = 1;  // of the axis that is scaled
  std::size_t block_ = 1;
  std::size_t count_ = 1;  // scales along the axis
  bool is_blocked_ = false;
};

/// The code of a real number that is already divided by the scale: rounded to even, moved by the
/// zero point and held in the range of the type; small floats by `rules`.
void store_quantized(ElementType type, std::byte* data, std::size_t index, double value,
                     double zero, const CastRules& rules = {});

/// Every element minus its zero point (input `zero`, left out: 0), which broadcasts; a list stands
/// for `list_axis` of the tensor.
Result<std::vector<double>> centred(const Call& call, std::size_t x, std::size_t zero,
                                    std::size_t list_axis);

/// An input of real numbers spread over `dims`; a list stands for `list_axis`. Errors: E151.
Result<std::vector<double>> spread(const Call& call, std::size_t input, const Sizes& dims,
                                   std::size_t list_axis);

}  // namespace godwit::ops
