// The inner loop of fp64 products at one SIMD level.
#pragma once

#include <cstddef>

namespace godwit::kernels {

struct WideLoops {
  std::size_t rows, columns;  // of a tile
  /// `rows` rows of A times a panel of B, `columns` wide, added to the rows of C, of which those
  /// that are null do not count; `columns` of the call are stored.
  void (*tile)(std::size_t depth, const double* const* a, const double* panel, double* const* c,
               std::size_t columns);
};

}  // namespace godwit::kernels
