// The inner loops of gemm at one SIMD level, as the driver of gemm.cc and the convolutions call
// them.
#pragma once

#include <cstddef>

#include "kernels/gemm.h"

namespace godwit::kernels {

/// Where a tile of the output is and what the inner loop adds to it.
struct Tile {
  float* c = nullptr;
  std::size_t c_stride = 0;
  std::size_t rows = 0;     // at most max_rows
  std::size_t columns = 0;  // at most panel_columns
  float alpha = 1;
  float beta = 0;  // what becomes of C in this block of K: 0, beta, or 1
};

/// A panel of A, [depth] in steps of a_step, and one of B.
struct PanelPair {
  std::size_t depth = 0;
  const float* a = nullptr;
  std::size_t a_step = 0;
  const float* b = nullptr;
  std::size_t b_step = 0;
};

struct GemmLoops {
  std::size_t max_rows;       // rows of a tile at most: as many accumulators as there are registers
  std::size_t panel_columns;  // columns of a tile: some vectors

  /// Adds a panel of A (`depth` x `tile.rows`, in steps of a_step) times one of B to the tile.
  void (*multiply)(std::size_t depth, const float* a, std::size_t a_step, const float* b,
                   std::size_t b_step, const Tile& tile);

  /// The same in the order of `how`, with `block` products to a sixteen (the last may be shorter);
  /// alpha is 1, beta 0 at the start of K and 1 afterwards. kExact wants all of K at once.
  void (*multiply_in_order)(const PanelPair& panels, std::size_t block, Summation how,
                            const Tile& tile, Losses& losses);

  /// Copies `count` <= `width` rows of the strided source, `depth` long, into panel[depth][width];
  /// what lacks is 0. Element (i, k) is at source[i * stride + k * depth_stride].
  void (*pack)(const float* source, std::size_t stride, std::size_t depth_stride, std::size_t count,
               std::size_t depth, float* panel, std::size_t width);

  /// Applies the epilogue to a tile whose first element is (row, column) of the output.
  void (*finish)(const Tile& tile, const Epilogue& epilogue, std::size_t row, std::size_t column,
                 Losses& losses);
};

/// The loops of the level in use.
const GemmLoops& gemm_loops();

}  // namespace godwit::kernels
