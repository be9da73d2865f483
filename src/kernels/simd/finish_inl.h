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

/// The first `n` < kLanes elements, 0 in the other lanes; nothing beyond them is read.
HWY_INLINE VF load_some(const float* from, std::size_t n) {
#if GODWIT_HAS_F16C
  return hn::MaskedLoad(hn::FirstN(F(), n), F(), from);
#else
  float lanes[kLanes] = {};
  for (std::size_t i = 0; i < n; ++i) lanes[i] = from[i];
  return hn::LoadU(F(), lanes);
#endif
}

/// The first `n` < kLanes lanes; nothing beyond them is written.
HWY_INLINE void store_some(VF x, float* to, std::size_t n) {
#if GODWIT_HAS_F16C
  hn::BlendedStore(x, hn::FirstN(F(), n), F(), to);
#else
  float lanes[kLanes];
  hn::StoreU(x, F(), lanes);
  for (std::size_t i = 0; i < n; ++i) to[i] = lanes[i];
#endif
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

/// `n` < kLanes elements of a row. Lanes beyond them hold 0 and lose nothing.
HWY_INLINE void finish_rest(float* values, std::size_t n, const Epilogue& e, float row_bias,
                            std::size_t column, std::size_t offset, Losses& losses) {
  VF x = load_some(values, n);
  if (e.row_bias != nullptr) {
    x = hn::IfThenElseZero(hn::FirstN(F(), n), hn::Add(x, hn::Set(F(), row_bias)));
  }
  if (e.column_bias != nullptr) x = hn::Add(x, load_some(e.column_bias + column, n));
  x = narrow_any(x, e.product, losses);
  if (e.residual != nullptr) x = hn::Add(x, load_some(e.residual + offset, n));
  store_some(narrow_any(activate(x, e), e.store, losses), values, n);
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

/// Rows that are rounded to fp16 and at most take a bias, the usual epilogue on a chip.
template <Overflow kOverflow>
HWY_INLINE void round_rows(float* values, std::size_t stride, std::size_t rows, std::size_t n,
                           const float* bias, Losses& losses) {
  const F f;
  const std::size_t whole = n / kLanes * kLanes;
  for (std::size_t r = 0; r < rows; ++r, values += stride) {
    const VF more = hn::Set(f, bias == nullptr ? 0.0f : bias[r]);
    // To add 0 would make 0 of -0.
    const auto done = [&](VF x) HWY_ATTR {
      return narrow_half<kOverflow>(bias == nullptr ? x : hn::Add(x, more), losses);
    };
    for (std::size_t i = 0; i < whole; i += kLanes) {
      hn::StoreU(done(hn::LoadU(f, values + i)), f, values + i);
    }
    if (whole == n) continue;
    VF x = load_some(values + whole, n - whole);
    if (bias != nullptr) x = hn::IfThenElseZero(hn::FirstN(f, n - whole), hn::Add(x, more));
    store_some(narrow_half<kOverflow>(x, losses), values + whole, n - whole);
  }
}

/// `rows` segments, `stride` apart, from `row` and `column` of the output on.
HWY_INLINE void finish_rows(float* values, std::size_t stride, std::size_t rows, std::size_t n,
                            const Epilogue& epilogue, std::size_t row, std::size_t column,
                            Losses& losses) {
  const Epilogue e = epilogue;  // which no store to `values` can change
  const float* const bias = e.row_bias == nullptr ? nullptr : e.row_bias + row;
  const bool only_rounds = e.column_bias == nullptr && e.residual == nullptr &&
                           e.activation == Activation::kNone && e.product == Narrowing{};
  if (only_rounds && e.store == kSaturatingHalf) {
    return round_rows<Overflow::kSaturate>(values, stride, rows, n, bias, losses);
  }
  if (only_rounds && e.store == kHalf) {
    return round_rows<Overflow::kInfinity>(values, stride, rows, n, bias, losses);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    finish_row(values + r * stride, n, e, bias == nullptr ? 0.0f : bias[r], column,
               (row + r) * stride + column, losses);
  }
}

}  // namespace godwit::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
