// What the loops of ordered_gemm are given, at every SIMD level.
#pragma once

#include <cstddef>

#include "kernels/ordered.h"

namespace godwit::kernels {

/// Rows of a tile: chains of additions that run beside each other.
inline constexpr std::size_t kOrderedRows = 4;
inline constexpr std::size_t kFractal = 16;

/// Panels [depth][kOrderedRows] and [depth][width], filled up with zeros to whole fractals; `rows`
/// and `columns` are those that count.
struct OrderedPanels {
  const float* a;
  const float* b;
  std::size_t depth;
  std::size_t width;
  std::size_t rows;
  std::size_t columns;
};

}  // namespace godwit::kernels
