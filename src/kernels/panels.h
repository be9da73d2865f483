// An operand of a product as panels: what gemm and the convolutions hand to the inner loops.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/parallel.h"
#include "kernels/gemm_loops.h"

namespace godwit::kernels {

constexpr std::size_t divide_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

/// For each block of K all panels, each [depth][width].
struct PackedPanels {
  const GemmLoops* loops = nullptr;
  std::size_t length = 0;  // M or N
  std::size_t k = 0;
  std::size_t width = 0;
  std::size_t depth = 0;  // of a block of K
  float* data = nullptr;

  PackedPanels() = default;
  PackedPanels(const GemmLoops& used, Side side, std::size_t length_, std::size_t k_,
               std::size_t depth_)
      : loops(&used), length(length_), k(k_), width(used.panel_columns), depth(depth_) {
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
        depth(matrix.depth_),
        data(matrix.panels_.data()) {}

  static void set(PackedMatrix& matrix, const PackedPanels& panels) {
    matrix.width_ = panels.width;
    matrix.depth_ = panels.depth;
    matrix.loops_ = panels.loops;
  }

  std::size_t count() const { return divide_up(length, width); }
  std::size_t floats() const { return count() * width * k; }
  float* panel(std::size_t index, std::size_t k0, std::size_t some) const {
    return data + k0 * count() * width + index * width * some;
  }

  // Along the panel, then along K; the panels from `first` on.
  void pack(const float* source, std::size_t stride, std::size_t depth_stride,
            std::size_t first = 0) const {
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

/// Asks for what the epilogue of a tile will read, so that it comes while the product runs.
inline void prefetch_residual(const Epilogue& epilogue, const Tile& tile, std::size_t offset) {
  if (epilogue.residual == nullptr) return;
  constexpr std::size_t kLine = 16;  // floats
  for (std::size_t r = 0; r < tile.rows; ++r) {
    const float* const row = epilogue.residual + offset + r * tile.c_stride;
    for (std::size_t i = 0; i < tile.columns; i += kLine) __builtin_prefetch(row + i);
  }
}

}  // namespace godwit::kernels
