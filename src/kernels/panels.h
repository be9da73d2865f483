// An operand of a product as panels: what gemm and the convolutions hand to the inner loops.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/parallel.h"
#include "kernels/gemm_loops.h"

namespace godwit::kernels {

constexpr std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// Blocks of K are of one size, so that none is too short to pay for loading and storing C.
constexpr std::size_t block_depth(std::size_t k) {
  return divide_up(k, std::max<std::size_t>(1, divide_up(k, kDepth)));
}

/// For each block of K all panels, each [depth][width].
struct PackedPanels {
  const GemmLoops* loops = nullptr;
  std::size_t length = 0;  // M or N
  std::size_t k = 0;
  std::size_t width = 0;
  float* data = nullptr;

  PackedPanels() = default;
  PackedPanels(const GemmLoops& used, Side side, std::size_t length_, std::size_t k_)
      : loops(&used), length(length_), k(k_), width(used.panel_columns) {
    if (side == Side::kRight) return;
    // Panels of equal height: 64 rows are five of 13, not four of 14 and one of 8.
    const std::size_t wanted = std::max<std::size_t>(1, divide_up(length, used.max_rows));
    width = std::max<std::size_t>(1, divide_up(length, wanted));
  }
  explicit PackedPanels(const PackedMatrix& matrix, Side side)
      : loops(matrix.loops_),
        length(side == Side::kLeft ? matrix.rows_ : matrix.columns_),
        k(side == Side::kLeft ? matrix.columns_ : matrix.rows_),
        width(matrix.width_),
        data(matrix.panels_.data()) {}

  static void set(PackedMatrix& matrix, const PackedPanels& panels) {
    matrix.width_ = panels.width;
    matrix.loops_ = panels.loops;
  }

  std::size_t count() const { return divide_up(length, width); }
  std::size_t floats() const { return count() * width * k; }
  float* panel(std::size_t index, std::size_t k0, std::size_t depth) const {
    return data + k0 * count() * width + index * width * depth;
  }

  // Along the panel, then along K; the panels from `first` on.
  void pack(const float* source, std::size_t stride, std::size_t depth_stride,
            std::size_t first = 0) const {
    const std::size_t depth = block_depth(k);
    const auto pack_panel = [&](std::size_t index, std::size_t) {
      const std::size_t start = (first + index) * width;
      for (std::size_t k0 = 0; k0 < k; k0 += depth) {
        const std::size_t some = std::min(depth, k - k0);
        loops->pack(source + start * stride + k0 * depth_stride, stride, depth_stride,
                    std::min(width, length - start), some, panel(first + index, k0, some), width);
      }
    };
    const std::size_t panels = count() - first;
    constexpr std::size_t kWorthThreads = 1 << 15;
    if (panels * width * k > kWorthThreads) return parallel_for(panels, pack_panel);
    for (std::size_t index = 0; index < panels; ++index) pack_panel(index, 0);
  }
};

}  // namespace godwit::kernels
