// The inner loops of element-wise kernels at one SIMD level: no threads, and no stores of narrow
// formats, but of normalisations.
#pragma once

#include <cstddef>

#include "kernels/elementwise.h"

namespace godwit::kernels {

/// The parameters of a normalisation; a step of 0 repeats the first value.
struct Normalization {
  const float* mean;
  const float* deviation;
  const float* scale;
  const float* shift;
  std::size_t step;
};

struct ElementwiseLoops {
  /// narrow((in - mean) / deviation * scale + shift, how), each operation a rounding of fp32.
  void (*normalize)(const Normalization& by, Narrowing how, const float* in, float* out,
                    std::size_t n, Losses& losses);

  void (*unary)(Unary op, const float* in, float* out, std::size_t n, float a, float b);
  /// A step is 0 or 1.
  void (*binary)(Binary op, const float* x, std::size_t x_step, const float* y, std::size_t y_step,
                 float* out, std::size_t n);
  void (*scale_shift)(const float* in, float* out, std::size_t n, float scale, float shift);
  /// out[i] = table[fp16 code of in[i]].
  void (*lookup)(const float* table, const float* in, float* out, std::size_t n);
};

const ElementwiseLoops& elementwise_loops();

}  // namespace godwit::kernels
