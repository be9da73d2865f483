// The epilogue on vectors of one row, for products and convolutions.
// No #pragma once: it is read once for each instruction set.
#if defined(GODWIT_KERNELS_FINISH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GODWIT_KERNELS_FINISH_INL
#undef GODWIT_KERNELS_FINISH_INL
#else
#define GODWIT_KERNELS_FINISH_INL
#endif

#include <hwy/highway.h>

#include "kernels/epilogue.h"
#include "kernels/simd/narrow_inl.h"

HWY_BEFORE_NAMESPACE();
namespace godwit::kernels::HWY_NAMESPACE {

/// NaN fails every comparison and so stays what it is, whatever the processor's min and max do.
HWY_INLINE VF activate(VF x, const Epilogue& epilogue) {
  const F f;
  const VF low = hn::Set(f, epilogue.low);
  switch (epilogue.activation) {
    case Activation::kNone: return x;
    case Activation::kRelu: return hn::IfThenZeroElse(hn::Le(x, hn::Zero(f)), x);
    case Activation::kClip: {
      const VF high = hn::Set(f, epilogue.high);
      const VF above = hn::IfThenElse(hn::Gt(x, high), high, x);
      return hn::IfThenElse(hn::Lt(x, low), low, above);
    }
    case Activation::kLeakyRelu: return hn::IfThenElse(hn::Lt(x, hn::Zero(f)), hn::Mul(x, low), x);
  }
  return x;
}

/// Any narrowing of one vector; the common one inline, the others through memory.
HWY_INLINE VF narrow_any(VF x, Narrowing how, Losses& losses) {
  if (how.format == Format::kFp32 && how.overflow == Overflow::kInfinity) return x;
  if (how == kHalf) return narrow_half<Overflow::kInfinity>(x, losses);
  if (how == kSaturatingHalf) return narrow_half<Overflow::kSaturate>(x, losses);
  float lanes[kLanes];
  hn::StoreU(x, F(), lanes);
  losses += narrow(lanes, lanes, kLanes, how);
  return hn::LoadU(F(), lanes);
}

/// One vector of a row: its columns start at `column`, its place from the output's start is
/// `offset`.
HWY_INLINE VF finish_lanes(VF x, const Epilogue& e, float row_bias, std::size_t column,
                           std::size_t offset, Losses& losses) {
  const F f;
  if (e.row_bias != nullptr) x = hn::Add(x, hn::Set(f, row_bias));
  if (e.column_bias != nullptr) x = hn::Add(x, hn::LoadU(f, e.column_bias + column));
  x = narrow_any(x, e.product, losses);
  if (e.residual != nullptr) x = hn::Add(x, hn::LoadU(f, e.residual + offset));
  return narrow_any(activate(x, e), e.store, losses);
}

/// `n` < kLanes elements of a row, through copies that are long enough for a vector.
HWY_INLINE void finish_rest(float* values, std::size_t n, const Epilogue& e, float row_bias,
                            std::size_t column, std::size_t offset, Losses& losses) {
  float lanes[3][kLanes] = {};
  Epilogue local = e;
  // Added here, so that the lanes beyond n hold 0 and lose nothing.
  local.row_bias = nullptr;
  for (std::size_t i = 0; i < n; ++i) {
    lanes[0][i] = e.row_bias != nullptr ? values[i] + row_bias : values[i];
    if (e.column_bias != nullptr) lanes[1][i] = e.column_bias[column + i];
    if (e.residual != nullptr) lanes[2][i] = e.residual[offset + i];
  }
  if (e.column_bias != nullptr) local.column_bias = lanes[1];
  if (e.residual != nullptr) local.residual = lanes[2];
  const VF done = finish_lanes(hn::LoadU(F(), lanes[0]), local, 0, 0, 0, losses);
  hn::StoreU(done, F(), lanes[0]);
  for (std::size_t i = 0; i < n; ++i) values[i] = lanes[0][i];
}

/// A row segment in place.
HWY_INLINE void finish_row(float* values, std::size_t n, const Epilogue& e, float row_bias,
                           std::size_t column, std::size_t offset, Losses& losses) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const VF x = hn::LoadU(F(), values + i);
    hn::StoreU(finish_lanes(x, e, row_bias, column + i, offset + i, losses), F(), values + i);
  }
  if (i < n) finish_rest(values + i, n - i, e, row_bias, column + i, offset + i, losses);
}

}  // namespace godwit::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
