// The inner loops of products: a tile of C stays in registers while K runs.
#include "kernels/gemm_loops.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/gemm_loops.cc"
#include "kernels/simd/foreach.h"
// The instruction set is chosen above.
#include <hwy/highway.h>

#include "kernels/simd/finish_inl.h"
#include "kernels/simd/tile_inl.h"
#include "kernels/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace godwit::kernels::HWY_NAMESPACE {
namespace {

// c = beta c + alpha sum; without reading C where beta is 0.
template <std::size_t kR, std::size_t kV>
HWY_INLINE void store_tile(const VF (&sum)[kR][kV], float* c, std::size_t stride,
                           const Tile& tile) {
  const F f;
  const VF alpha = hn::Set(f, tile.alpha);
  const VF beta = hn::Set(f, tile.beta);
  const bool reads = tile.beta != 0;
  const bool scales = tile.alpha != 1;
  GODWIT_UNROLL
  for (std::size_t r = 0; r < kR; ++r) {
    GODWIT_UNROLL
    for (std::size_t v = 0; v < kV; ++v) {
      float* const at = c + r * stride + v * kLanes;
      VF value = scales ? hn::Mul(alpha, sum[r][v]) : sum[r][v];
      if (reads) value = hn::Add(hn::Mul(beta, hn::LoadU(f, at)), value);
      hn::StoreU(value, f, at);
    }
  }
}

// Columns that do not fill the vectors: through a tile of their own.
template <std::size_t kR, std::size_t kV>
HWY_INLINE void store_part(const VF (&sum)[kR][kV], const Tile& tile) {
  float whole[kR * kV * kLanes];
  constexpr std::size_t kStride = kV * kLanes;
  for (std::size_t r = 0; r < kR && tile.beta != 0; ++r) {
    std::copy_n(tile.c + r * tile.c_stride, tile.columns, whole + r * kStride);
    std::fill(whole + r * kStride + tile.columns, whole + (r + 1) * kStride, 0.0f);
  }
  store_tile<kR, kV>(sum, whole, kStride, tile);
  for (std::size_t r = 0; r < kR; ++r) {
    std::copy_n(whole + r * kStride, tile.columns, tile.c + r * tile.c_stride);
  }
}

template <std::size_t kR, std::size_t kV>
void multiply_tile(std::size_t depth, const float* HWY_RESTRICT a, std::size_t a_step,
                   const float* HWY_RESTRICT b, std::size_t b_step, const Tile& tile) {
  const F f;
  VF sum[kR][kV];
  GODWIT_UNROLL
  for (std::size_t r = 0; r < kR; ++r) {
    GODWIT_UNROLL
    for (std::size_t v = 0; v < kV; ++v) sum[r][v] = hn::Zero(f);
  }
  for (std::size_t k = 0; k < depth; ++k, a += a_step, b += b_step) add_product<kR, kV>(a, b, sum);
  if (tile.columns == kV * kLanes) {
    store_tile<kR, kV>(sum, tile.c, tile.c_stride, tile);
  } else {
    store_part<kR, kV>(sum, tile);
  }
}

using Multiply = void (*)(std::size_t, const float*, std::size_t, const float*, std::size_t,
                          const Tile&);

template <std::size_t kV, std::size_t... kR>
constexpr std::array<Multiply, kTileRows> by_rows(std::index_sequence<kR...>) {
  return {multiply_tile<kR + 1, kV>...};
}

template <std::size_t... kV>
constexpr std::array<std::array<Multiply, kTileRows>, kTileVectors> by_size(
    std::index_sequence<kV...>) {
  return {by_rows<kV + 1>(std::make_index_sequence<kTileRows>())...};
}

constexpr auto kBySize = by_size(std::make_index_sequence<kTileVectors>());

void multiply(std::size_t depth, const float* a, std::size_t a_step, const float* b,
              std::size_t b_step, const Tile& tile) {
  const std::size_t vectors = (tile.columns + kLanes - 1) / kLanes;
  kBySize[vectors - 1][tile.rows - 1](depth, a, a_step, b, b_step, tile);
}

// Four rows of four: what lay along K lies across it afterwards.
HWY_INLINE void transpose4(const float* from, std::size_t stride, float* to, std::size_t width) {
#if GODWIT_HAS_F16C
  const hn::Full128<float> q;
  const hn::Full128<double> pairs;
  const auto r0 = hn::LoadU(q, from);
  const auto r1 = hn::LoadU(q, from + stride);
  const auto r2 = hn::LoadU(q, from + 2 * stride);
  const auto r3 = hn::LoadU(q, from + 3 * stride);
  const auto lo01 = hn::BitCast(pairs, hn::InterleaveLower(q, r0, r1));
  const auto hi01 = hn::BitCast(pairs, hn::InterleaveUpper(q, r0, r1));
  const auto lo23 = hn::BitCast(pairs, hn::InterleaveLower(q, r2, r3));
  const auto hi23 = hn::BitCast(pairs, hn::InterleaveUpper(q, r2, r3));
  hn::StoreU(hn::BitCast(q, hn::InterleaveLower(pairs, lo01, lo23)), q, to);
  hn::StoreU(hn::BitCast(q, hn::InterleaveUpper(pairs, lo01, lo23)), q, to + width);
  hn::StoreU(hn::BitCast(q, hn::InterleaveLower(pairs, hi01, hi23)), q, to + 2 * width);
  hn::StoreU(hn::BitCast(q, hn::InterleaveUpper(pairs, hi01, hi23)), q, to + 3 * width);
#else
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 4; ++k) to[k * width + i] = from[i * stride + k];
  }
#endif
}

void pack_strided(const float* source, std::size_t stride, std::size_t depth_stride,
                  std::size_t count, std::size_t depth, float* panel, std::size_t width) {
  for (std::size_t k = 0; k < depth; ++k, panel += width) {
    for (std::size_t i = 0; i < count; ++i) panel[i] = source[i * stride + k * depth_stride];
    std::fill(panel + count, panel + width, 0.0f);
  }
}

// The source runs along the panel's depth.
void pack_across(const float* source, std::size_t stride, std::size_t count, std::size_t depth,
                 float* panel, std::size_t width) {
  const std::size_t fours = count / 4 * 4;
  const std::size_t deep = depth / 4 * 4;
  for (std::size_t k = 0; k < deep; k += 4) {
    for (std::size_t i = 0; i < fours; i += 4) {
      transpose4(source + i * stride + k, stride, panel + k * width + i, width);
    }
  }
  if (fours < width) {
    for (std::size_t k = 0; k < deep; ++k) {
      float* const row = panel + k * width;
      for (std::size_t i = fours; i < count; ++i) row[i] = source[i * stride + k];
      std::fill(row + count, row + width, 0.0f);
    }
  }
  pack_strided(source + deep, stride, 1, count, depth - deep, panel + deep * width, width);
}

void pack(const float* source, std::size_t stride, std::size_t depth_stride, std::size_t count,
          std::size_t depth, float* panel, std::size_t width) {
  if (depth_stride == 1 && stride != 1) {
    return pack_across(source, stride, count, depth, panel, width);
  }
  if (stride != 1) return pack_strided(source, stride, depth_stride, count, depth, panel, width);
  for (std::size_t k = 0; k < depth; ++k, panel += width, source += depth_stride) {
    std::memcpy(panel, source, count * sizeof *panel);
    std::fill(panel + count, panel + width, 0.0f);
  }
}

void finish(const Tile& tile, const Epilogue& epilogue, std::size_t row, std::size_t column,
            Losses& losses) {
  Losses own;
  finish_rows(tile.c, tile.c_stride, tile.rows, tile.columns, epilogue, row, column, own);
  losses += own;
}

}  // namespace

// In ordered_loops.cc.
void multiply_in_order(const PanelPair&, std::size_t, Summation, const Tile&, Losses&);

extern const GemmLoops kGemmLoops;
const GemmLoops kGemmLoops = {.max_rows = kTileRows,
                              .panel_columns = kTileColumns,
                              .multiply = multiply,
                              .multiply_in_order = multiply_in_order,
                              .pack = pack,
                              .finish = finish};

}  // namespace godwit::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace godwit::kernels {

const GemmLoops& gemm_loops() { return GODWIT_AT_LEVEL(kGemmLoops); }

}  // namespace godwit::kernels
#endif
