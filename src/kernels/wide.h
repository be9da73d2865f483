// Products and convolutions in fp64, for the reference that accuracy is measured against: fast
// enough that nobody is tempted to measure against less.
#pragma once

#include <cstddef>

#include "kernels/conv.h"

namespace godwit::kernels {

/// C = A B, all row-major: A is m x k, B is k x n, C is m x n, rows `*_stride` apart.
struct WideGemm {
  std::size_t m = 0;
  std::size_t n = 0;
  std::size_t k = 0;
  const double* a = nullptr;
  std::size_t a_stride = 0;
  const double* b = nullptr;
  std::size_t b_stride = 0;
  double* c = nullptr;
  std::size_t c_stride = 0;
};

/// Sums along K run in order, fused where the processor can; error at most k 2^-53 sum |a b|. On
/// all threads; the bits depend on no number of threads.
void wide_gemm(const WideGemm& call);

/// Sums run over the channels of a group, within them over the taps; `bias` (may be null) is added
/// last.
void wide_conv(const ConvShape& shape, const double* in, const double* weights, const double* bias,
               double* out);

}  // namespace godwit::kernels
