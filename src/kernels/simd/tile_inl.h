// The tile of C that a product keeps in registers, at each instruction set.
// No #pragma once: it is read once for each instruction set.
#if defined(GODWIT_KERNELS_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GODWIT_KERNELS_TILE_INL
#undef GODWIT_KERNELS_TILE_INL
#else
#define GODWIT_KERNELS_TILE_INL
#endif

#include <hwy/highway.h>

#include "kernels/simd/narrow_inl.h"
#include "kernels/simd/unroll.h"

HWY_BEFORE_NAMESPACE();
namespace godwit::kernels::HWY_NAMESPACE {

// Accumulators, one row of B and one element of A fill the registers: 32 or 16 of them.
#if HWY_TARGET == HWY_AVX3
constexpr std::size_t kTileRows = 14;
constexpr std::size_t kTileVectors = 2;
#elif HWY_TARGET == HWY_AVX2
constexpr std::size_t kTileRows = 6;
constexpr std::size_t kTileVectors = 2;
#else
constexpr std::size_t kTileRows = 6;
constexpr std::size_t kTileVectors = 4;
#endif
constexpr std::size_t kTileColumns = kTileVectors * kLanes;

/// sum += a column of A times a row of B.
template <std::size_t kR, std::size_t kV>
HWY_INLINE void add_product(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b,
                            VF (&sum)[kR][kV]) {
  const F f;
  VF row[kV];
  GODWIT_UNROLL
  for (std::size_t v = 0; v < kV; ++v) row[v] = hn::LoadU(f, b + v * kLanes);
  GODWIT_UNROLL
  for (std::size_t r = 0; r < kR; ++r) {
    const VF element = hn::Set(f, a[r]);
    GODWIT_UNROLL
    for (std::size_t v = 0; v < kV; ++v) sum[r][v] = hn::MulAdd(element, row[v], sum[r][v]);
  }
}

}  // namespace godwit::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
