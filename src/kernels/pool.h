// Pooling over up to three spatial axes of planes (a plane is one channel of one image).
#pragma once

#include <cstddef>

#include "kernels/conv.h"
#include "kernels/elementwise.h"

namespace godwit::kernels {

/// Axes as in ConvShape; `out` is given, because models choose to round it up or down. No window
/// starts at or beyond in + pad_begin + pad_end.
struct PoolShape {
  using Axes = ConvShape::Axes;
  std::size_t planes = 1;
  Axes in{1, 1, 1};
  Axes out{1, 1, 1};
  Axes kernel{1, 1, 1};
  Axes stride{1, 1, 1};
  Axes dilation{1, 1, 1};
  Axes pad_begin{};
  Axes pad_end{};
  bool counts_padding = false;  ///< of an average: what lies in the padding counts as 0
};

/// NaN if one is in the window; -Inf for a window of padding alone. Exact. `in` [planes][in...],
/// `out` [planes][out...]; they must not overlap.
void max_pool(const PoolShape& shape, const float* in, float* out);

/// Sums the window's rows, then along them, and divides once; NaN for a window that counts nothing.
void average_pool(const PoolShape& shape, const float* in, float* out, const Store& store = {});

namespace ref {

void max_pool(const PoolShape& shape, const float* in, float* out);

/// Sums in double, rounded once, divided once.
void average_pool(const PoolShape& shape, const float* in, float* out);

}  // namespace ref
}  // namespace godwit::kernels
