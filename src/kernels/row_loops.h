// The inner loops over one row at one SIMD level.
#pragma once

#include <cstddef>

#include "kernels/rows.h"

namespace godwit::kernels {

/// Partial sums of a row.
inline constexpr std::size_t kChains = 64;

struct RowLoops {
  float (*maximum)(const float* x, std::size_t n);
  float (*minimum)(const float* x, std::size_t n);
  float (*sum)(const float* x, std::size_t n);
  float (*square_sum)(const float* x, std::size_t n, float mean);  ///< of (x - mean)^2
  /// y = e^(x - top); their sum.
  float (*exp_sum)(const float* x, float top, float* y, std::size_t n);
  void (*divide)(float* x, float by, std::size_t n);
  /// y = (x - mean) / deviation * scale + shift; scale and shift may be null.
  void (*normalize)(const float* x, float mean, float deviation, const Norm& norm, float* y,
                    std::size_t n);
  /// into = into op x, element by element.
  void (*fold)(Reduction reduction, const float* x, float* into, std::size_t n);
  /// The same with every `step`th element of x.
  void (*fold_strided)(Reduction reduction, const float* x, std::size_t step, float* into,
                       std::size_t n);
};

const RowLoops& row_loops();

}  // namespace godwit::kernels
