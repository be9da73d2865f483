// Kernels that look at whole rows: softmax, normalisation, sums. Dense rows x columns matrices of
// fp32, all threads, optional rounding of what is stored.
//
// Sums have one order on every machine: 64 partial sums, element i in the (i mod 64)th, added up in
// a binary tree. So the bits depend on no SIMD level and no number of threads, and the error of a
// sum is at most (columns / 64 + 6) 2^-24 sum |x|.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/elementwise.h"

namespace godwit::kernels {

struct Rows {
  const float* in = nullptr;
  float* out = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  Store store{};
};

/// e^(x - max) / sum, the sequence of the NPU's library: maximum, subtraction, exp, sum, division
/// in fp32, one rounding at the end. A NaN, or a row of -Inf alone, makes the whole row NaN. 4 ULP.
/// `out` may be `in`.
void softmax(const Rows& call);

/// The rest of a normalisation: y = (x - mean) / sqrt(variance + epsilon) * scale + shift, with a
/// square root and a division as the NPU's library does them, each step a rounding.
struct Norm {
  const float* scale = nullptr;  ///< `columns` values, or null for 1
  const float* shift = nullptr;  ///< `columns` values, or null for 0
  float epsilon = 1e-5f;
  bool centred = true;  ///< false: no mean is subtracted (RMS normalisation)
};
void normalize(const Rows& call, const Norm& norm);

enum class Reduction : std::uint8_t {
  kSum,
  kMean,
  kMaximum,    ///< NaN if one is; -Inf for none
  kMinimum,    ///< NaN if one is; Inf for none
  kSquareSum,  ///< of x^2
};

/// One value for each row. A mean of nothing is NaN. `out` holds `rows` values.
void reduce_rows(Reduction reduction, const Rows& call);

/// One value for each column, rows added in their order. `out` holds `columns` values.
void reduce_columns(Reduction reduction, const Rows& call);

namespace ref {

/// The sum in the order above.
float tree_sum(const float* values, std::size_t n);

}  // namespace ref
}  // namespace godwit::kernels
