// Narrowing of one vector of fp32 lanes, for every kernel that rounds what it stores.
// No #pragma once: it is read once for each instruction set.
#if defined(GODWIT_KERNELS_NARROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef GODWIT_KERNELS_NARROW_INL
#undef GODWIT_KERNELS_NARROW_INL
#else
#define GODWIT_KERNELS_NARROW_INL
#endif

#include <hwy/highway.h>

#include "kernels/half.h"

HWY_BEFORE_NAMESPACE();
namespace godwit::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F = hn::ScalableTag<float>;
using U = hn::ScalableTag<std::uint32_t>;
using VF = hn::Vec<F>;
using VU = hn::Vec<U>;
/// Lanes of a vector; every instruction set that we choose from has a fixed number.
constexpr std::size_t kLanes = hn::MaxLanes(F());

/// Lanes that are at least `bound`; both below 2^31, where signed comparisons, the cheap ones, do.
HWY_INLINE hn::Mask<U> at_least(VU lanes, std::uint32_t bound) {
  const hn::RebindToSigned<U> i;
  const auto below = hn::Set(i, static_cast<std::int32_t>(bound) - 1);
  return hn::RebindMask(U(), hn::Gt(hn::BitCast(i, lanes), below));
}

/// Counts of one vector at a time, for the few places where a loss is looked for. Whether there are
/// any.
HWY_INLINE bool count_losses(VU magnitude, std::uint32_t first_overflow, Losses& losses) {
  const U u;
  const auto beyond = at_least(magnitude, first_overflow);
  if (HWY_LIKELY(hn::AllFalse(u, beyond))) return false;
  const std::size_t nans = hn::CountTrue(u, at_least(magnitude, 0x7f800001u));
  losses.nans += nans;
  losses.overflows += hn::CountTrue(u, beyond) - nans;
  return true;
}

/// Smallest magnitude that the rounding carries beyond the largest finite value.
template <Format kFormat, Rounding kRounding>
constexpr std::uint32_t first_overflow() {
  if (kRounding == Rounding::kOdd || kRounding == Rounding::kTowardZero) return 0x7f800000;
  constexpr int kDrop = 23 - mantissa_bits(kFormat);
  return kDrop == 0 ? 0x7f800000 : largest_bits(kFormat) + (1u << (kDrop == 0 ? 0 : kDrop - 1));
}

template <Format kFormat, Rounding kRounding>
HWY_INLINE VU round_normal(VU magnitude) {
  const U u;
  constexpr int kDrop = 23 - mantissa_bits(kFormat);
  if constexpr (kDrop == 0) {
    return magnitude;
  } else {
    const VU rest_mask = hn::Set(u, (1u << kDrop) - 1);
    if constexpr (kRounding == Rounding::kNearestEven) {
      const VU odd = hn::And(hn::ShiftRight<kDrop>(magnitude), hn::Set(u, 1u));
      const VU bias = hn::Add(odd, hn::Set(u, (1u << (kDrop - 1)) - 1));
      return hn::AndNot(rest_mask, hn::Add(magnitude, bias));
    } else if constexpr (kRounding == Rounding::kNearestAway) {
      return hn::AndNot(rest_mask, hn::Add(magnitude, hn::Set(u, 1u << (kDrop - 1))));
    } else if constexpr (kRounding == Rounding::kOdd) {
      const auto inexact = hn::Ne(hn::And(magnitude, rest_mask), hn::Zero(u));
      const VU last = hn::IfThenElseZero(inexact, hn::Set(u, 1u << kDrop));
      return hn::Or(hn::AndNot(rest_mask, magnitude), last);
    } else {
      return hn::AndNot(rest_mask, magnitude);
    }
  }
}

/// Magnitudes below 2^-14 in units of 2^-24: scaling by a power of two is exact.
template <Rounding kRounding>
HWY_INLINE VU round_subnormal_half(VU magnitude) {
  const F f;
  const VF scaled = hn::Mul(hn::BitCast(f, magnitude), hn::Set(f, 0x1p24f));
  const VF whole = hn::Trunc(scaled);
  const VF rest = hn::Sub(scaled, whole);
  const VF one = hn::Set(f, 1.0f);
  VF units = whole;
  if constexpr (kRounding == Rounding::kNearestEven) units = hn::Round(scaled);
  if constexpr (kRounding == Rounding::kNearestAway) {
    units = hn::IfThenElse(hn::Ge(rest, hn::Set(f, 0.5f)), hn::Add(whole, one), whole);
  }
  if constexpr (kRounding == Rounding::kOdd) {
    const VF half = hn::Mul(whole, hn::Set(f, 0.5f));
    const auto even = hn::Eq(hn::Trunc(half), half);
    const auto up = hn::And(even, hn::Gt(rest, hn::Zero(f)));
    units = hn::IfThenElse(up, hn::Add(whole, one), whole);
  }
  return hn::BitCast(U(), hn::Mul(units, hn::Set(f, 0x1p-24f)));
}

template <Format kFormat, Rounding kRounding, Overflow kOverflow>
HWY_INLINE VF narrow_lanes(VF value, Losses& losses) {
  const F f;
  const U u;
  const VU bits = hn::BitCast(u, value);
  const VU sign_mask = hn::Set(u, 0x80000000u);
  const VU magnitude = hn::AndNot(sign_mask, bits);
  constexpr std::uint32_t kFirst = first_overflow<kFormat, kRounding>();
  count_losses(magnitude, kFirst, losses);
  VU rounded = round_normal<kFormat, kRounding>(magnitude);
  if constexpr (kFormat == Format::kFp16) {
    const auto normal = at_least(magnitude, 0x38800000u);  // 2^-14
    rounded = hn::IfThenElse(normal, rounded, round_subnormal_half<kRounding>(magnitude));
  }
  const VU largest = hn::Set(u, largest_bits(kFormat));
  const VU infinity = hn::Set(u, 0x7f800000u);
  // Finite beyond the largest, when rounding to odd or toward zero: the largest.
  rounded = hn::IfThenElse(at_least(rounded, largest_bits(kFormat) + 1), largest, rounded);
  const auto overflows = at_least(magnitude, kFirst);
  constexpr bool kSaturates = kOverflow == Overflow::kSaturate;
  rounded = hn::IfThenElse(overflows, kSaturates ? largest : infinity, rounded);
  VU result = hn::Or(rounded, hn::And(bits, sign_mask));
  constexpr std::uint32_t kPayload = 0u - (1u << (23 - mantissa_bits(kFormat)));
  const VU quiet = hn::And(hn::Or(bits, hn::Set(u, 0x400000u)), hn::Set(u, kPayload));
  result =
      hn::IfThenElse(at_least(magnitude, 0x7f800001u), kSaturates ? hn::Zero(u) : quiet, result);
  return hn::BitCast(f, result);
}

#if GODWIT_HAS_F16C
/// fp16 to nearest even, the store of every NPU profile: the processor's own conversion.
template <Overflow kOverflow>
HWY_INLINE VF narrow_half(VF value, Losses& losses) {
  const F f;
  const hn::Rebind<hwy::float16_t, F> half;
  const VU magnitude = hn::BitCast(U(), hn::Abs(value));
  constexpr std::uint32_t kFirst = first_overflow<Format::kFp16, Rounding::kNearestEven>();
  const bool has_losses = count_losses(magnitude, kFirst, losses);
  if (kOverflow == Overflow::kSaturate && has_losses) {
    const VF number = hn::IfThenElseZero(hn::Eq(value, value), value);
    value = hn::Max(hn::Min(number, hn::Set(f, 65504.0f)), hn::Set(f, -65504.0f));
  }
  return hn::PromoteTo(f, hn::DemoteTo(half, value));
}
#else
template <Overflow kOverflow>
HWY_INLINE VF narrow_half(VF value, Losses& losses) {
  return narrow_lanes<Format::kFp16, Rounding::kNearestEven, kOverflow>(value, losses);
}
#endif

}  // namespace godwit::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
