// The inner loops of products in a prescribed order: a tile's running sums stay in the first-level
// cache, the sixteen products that join them in registers, with one output in each lane.
#include <algorithm>
#include <array>
#include <utility>

#include "kernels/gemm_loops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ordered_loops.cc"
#include "kernels/simd/foreach.h"
// The instruction set is chosen above.
#include <hwy/highway.h>

#include "kernels/simd/finish_inl.h"
#include "kernels/simd/tile_inl.h"
#include "kernels/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace godwit::kernels::HWY_NAMESPACE {
namespace {

// The running sums of a tile: C is strided, and read and written only once.
template <std::size_t kR, std::size_t kV>
class RunningSums {
 public:
  HWY_INLINE explicit RunningSums(const Tile& tile) : tile_(tile) {
    for (std::size_t r = 0; r < kR; ++r) {
      GODWIT_UNROLL
      for (std::size_t v = 0; v < kV; ++v) hn::StoreU(before(r, v), F(), at(r, v));
    }
  }

  HWY_INLINE float* at(std::size_t r, std::size_t v) { return sums_ + r * kStride + v * kLanes; }

  // Zeros that fill a panel up make NaN beside an infinity, and that is no loss.
  HWY_NOINLINE void narrow(Narrowing how, Losses& losses) {
    for (std::size_t r = 0; r < kR; ++r) {
      for (std::size_t v = 0; v < kV; ++v) {
        const auto counts = hn::FirstN(F(), std::min(kLanes, tile_.columns - v * kLanes));
        const VF value = hn::IfThenElseZero(counts, hn::LoadU(F(), at(r, v)));
        hn::StoreU(narrow_any(value, how, losses), F(), at(r, v));
      }
    }
  }

  HWY_INLINE void put_back() {
    for (std::size_t r = 0; r < kR; ++r) {
      GODWIT_UNROLL
      for (std::size_t v = 0; v < kV; ++v) {
        float* const to = tile_.c + r * tile_.c_stride + v * kLanes;
        const VF sum = hn::LoadU(F(), at(r, v));
        if (is_whole(v)) {
          hn::StoreU(sum, F(), to);
        } else {
          store_some(sum, to, tile_.columns % kLanes);
        }
      }
    }
  }

 private:
  // Only the last vector of a row may stand out of the tile.
  HWY_INLINE bool is_whole(std::size_t v) const { return (v + 1) * kLanes <= tile_.columns; }

  HWY_INLINE VF before(std::size_t r, std::size_t v) const {
    if (tile_.beta == 0) return hn::Zero(F());
    const float* const c = tile_.c + r * tile_.c_stride + v * kLanes;
    return is_whole(v) ? hn::LoadU(F(), c) : load_some(c, tile_.columns % kLanes);
  }

  static constexpr std::size_t kStride = kV * kLanes;
  const Tile& tile_;
  alignas(64) float sums_[kR * kStride];
};

template <std::size_t kR, std::size_t kV>
HWY_INLINE void add_products(const PanelPair& p, std::size_t first, std::size_t end,
                             VF (&sum)[kR][kV]) {
  const float* HWY_RESTRICT a = p.a + first * p.a_step;
  const float* HWY_RESTRICT b = p.b + first * p.b_step;
  for (std::size_t k = first; k < end; ++k, a += p.a_step, b += p.b_step) {
    add_product<kR, kV>(a, b, sum);
  }
}

// One product after the other, on top of the running sums.
template <std::size_t kR, std::size_t kV>
void run_on(const PanelPair& p, RunningSums<kR, kV>& sums) {
  VF sum[kR][kV];
  GODWIT_UNROLL
  for (std::size_t r = 0; r < kR; ++r) {
    GODWIT_UNROLL
    for (std::size_t v = 0; v < kV; ++v) sum[r][v] = hn::LoadU(F(), sums.at(r, v));
  }
  add_products<kR, kV>(p, 0, p.depth, sum);
  GODWIT_UNROLL
  for (std::size_t r = 0; r < kR; ++r) {
    GODWIT_UNROLL
    for (std::size_t v = 0; v < kV; ++v) hn::StoreU(sum[r][v], F(), sums.at(r, v));
  }
}

// A block of products in registers, then its sum on top of the running ones.
template <std::size_t kR, std::size_t kV>
void join_block(const PanelPair& p, std::size_t first, std::size_t end, RunningSums<kR, kV>& sums) {
  VF sum[kR][kV];
  GODWIT_UNROLL
  for (std::size_t r = 0; r < kR; ++r) {
    GODWIT_UNROLL
    for (std::size_t v = 0; v < kV; ++v) sum[r][v] = hn::Zero(F());
  }
  add_products<kR, kV>(p, first, end, sum);
  GODWIT_UNROLL
  for (std::size_t r = 0; r < kR; ++r) {
    GODWIT_UNROLL
    for (std::size_t v = 0; v < kV; ++v) {
      hn::StoreU(hn::Add(hn::LoadU(F(), sums.at(r, v)), sum[r][v]), F(), sums.at(r, v));
    }
  }
}

template <std::size_t kR, std::size_t kV>
void tile_in_order(const PanelPair& p, std::size_t block, Summation how, const Tile& tile,
                   Losses& losses) {
  RunningSums<kR, kV> sums(tile);
  if (runs_on(how)) {
    run_on(p, sums);
  } else {
    for (std::size_t k = 0; k < p.depth; k += block) {
      join_block(p, k, std::min(k + block, p.depth), sums);
      if (!(how.accumulator == Narrowing{})) sums.narrow(how.accumulator, losses);
    }
  }
  sums.put_back();
}

constexpr std::size_t kPiece = 64;  // of K, converted to double at a time

// One vector of doubles of each row, over a piece of K.
template <std::size_t kR>
void add_in_double(const double* a, std::size_t depth, const float* b, std::size_t b_step,
                   double* sums) {
  const hn::ScalableTag<double> wide;
  const hn::Rebind<float, decltype(wide)> narrow_tag;
  hn::Vec<decltype(wide)> sum[kR];
  GODWIT_UNROLL
  for (std::size_t r = 0; r < kR; ++r) sum[r] = hn::LoadU(wide, sums + r * kTileColumns);
  for (std::size_t k = 0; k < depth; ++k, b += b_step, a += kR) {
    const auto row = hn::PromoteTo(wide, hn::LoadU(narrow_tag, b));
    GODWIT_UNROLL
    for (std::size_t r = 0; r < kR; ++r) {
      // The product of two floats is exact in double, so that fusing changes nothing.
      sum[r] = hn::MulAdd(hn::Set(wide, a[r]), row, sum[r]);
    }
  }
  GODWIT_UNROLL
  for (std::size_t r = 0; r < kR; ++r) hn::StoreU(sum[r], wide, sums + r * kTileColumns);
}

// All of K at once, since C cannot keep doubles.
template <std::size_t kR>
void tile_in_double(const PanelPair& p, Summation how, const Tile& tile, Losses& losses) {
  double sums[kR * kTileColumns] = {};
  double a[kPiece * kR];
  constexpr std::size_t kDoubles = hn::MaxLanes(hn::ScalableTag<double>());
  for (std::size_t k = 0; k < p.depth; k += kPiece) {
    const std::size_t depth = std::min(kPiece, p.depth - k);
    for (std::size_t i = 0; i < depth * kR; ++i) {
      a[i] = double{p.a[(k + i / kR) * p.a_step + i % kR]};
    }
    for (std::size_t column = 0; column < tile.columns; column += kDoubles) {
      add_in_double<kR>(a, depth, p.b + k * p.b_step + column, p.b_step, sums + column);
    }
  }
  for (std::size_t r = 0; r < kR; ++r) {
    float* const row = tile.c + r * tile.c_stride;
    for (std::size_t i = 0; i < tile.columns; ++i) {
      row[i] = static_cast<float>(sums[r * kTileColumns + i]);
    }
    losses += kernels::narrow(row, row, tile.columns, how.accumulator);
  }
}

using Multiply = void (*)(const PanelPair&, std::size_t, Summation, const Tile&, Losses&);
using MultiplyWide = void (*)(const PanelPair&, Summation, const Tile&, Losses&);

template <std::size_t kV, std::size_t... kR>
constexpr std::array<Multiply, kTileRows> by_rows(std::index_sequence<kR...>) {
  return {tile_in_order<kR + 1, kV>...};
}

template <std::size_t... kV>
constexpr auto by_size(std::index_sequence<kV...>) {
  return std::array{by_rows<kV + 1>(std::make_index_sequence<kTileRows>())...};
}

template <std::size_t... kR>
constexpr std::array<MultiplyWide, kTileRows> wide_by_rows(std::index_sequence<kR...>) {
  return {tile_in_double<kR + 1>...};
}

constexpr auto kBySize = by_size(std::make_index_sequence<kTileVectors>());
constexpr auto kWideByRows = wide_by_rows(std::make_index_sequence<kTileRows>());

}  // namespace

void multiply_in_order(const PanelPair& panels, std::size_t block, Summation how, const Tile& tile,
                       Losses& losses) {
  if (how.order == Order::kExact) return kWideByRows[tile.rows - 1](panels, how, tile, losses);
  const std::size_t vectors = (tile.columns + kLanes - 1) / kLanes;
  const std::size_t joined = how.order == Order::kSequential ? 1 : block;
  kBySize[vectors - 1][tile.rows - 1](panels, joined, how, tile, losses);
}

}  // namespace godwit::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
