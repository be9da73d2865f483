// The array forms of narrowing and of 16-bit codes, one loop for each format, rounding and mode.
#include "kernels/half.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/half.cc"
#include "kernels/simd/foreach.h"
// The instruction set is chosen above.
#include <hwy/highway.h>

#include "kernels/simd/narrow_inl.h"

HWY_BEFORE_NAMESPACE();
namespace godwit::kernels::HWY_NAMESPACE {
namespace {

using Loop = Losses (*)(const float*, float*, std::size_t);

template <class Lanes>
Losses narrow_array(const float* in, float* out, std::size_t n, Lanes lanes) {
  const F f;
  constexpr std::size_t kStep = kLanes;
  Losses losses;
  std::size_t i = 0;
  for (; i + kStep <= n; i += kStep) hn::StoreU(lanes(hn::LoadU(f, in + i), losses), f, out + i);
  if (i == n) return losses;
  float rest[kLanes] = {};
  std::copy(in + i, in + n, rest);
  hn::StoreU(lanes(hn::LoadU(f, rest), losses), f, rest);
  std::copy(rest, rest + (n - i), out + i);
  return losses;
}

template <Format kFormat, Rounding kRounding, Overflow kOverflow>
struct Lanes {
  HWY_INLINE VF operator()(VF value, Losses& losses) const {
    if constexpr (kFormat == Format::kFp16 && kRounding == Rounding::kNearestEven) {
      return narrow_half<kOverflow>(value, losses);
    } else {
      return narrow_lanes<kFormat, kRounding, kOverflow>(value, losses);
    }
  }
};

template <Format kFormat, Rounding kRounding, Overflow kOverflow>
Losses narrow_loop(const float* in, float* out, std::size_t n) {
  return narrow_array(in, out, n, Lanes<kFormat, kRounding, kOverflow>());
}

template <Format kFormat, Rounding kRounding>
Loop loop_of(Overflow overflow) {
  return overflow == Overflow::kSaturate ? narrow_loop<kFormat, kRounding, Overflow::kSaturate>
                                         : narrow_loop<kFormat, kRounding, Overflow::kInfinity>;
}

template <Format kFormat>
Loop loop_of(Rounding rounding, Overflow overflow) {
  switch (rounding) {
    case Rounding::kNearestEven: return loop_of<kFormat, Rounding::kNearestEven>(overflow);
    case Rounding::kNearestAway: return loop_of<kFormat, Rounding::kNearestAway>(overflow);
    case Rounding::kTowardZero: return loop_of<kFormat, Rounding::kTowardZero>(overflow);
    case Rounding::kOdd: return loop_of<kFormat, Rounding::kOdd>(overflow);
  }
  return nullptr;
}

Losses narrow_values(const float* in, float* out, std::size_t n, Narrowing how) {
  switch (how.format) {
    case Format::kFp32: return loop_of<Format::kFp32>(how.rounding, how.overflow)(in, out, n);
    case Format::kFp16: return loop_of<Format::kFp16>(how.rounding, how.overflow)(in, out, n);
    case Format::kBf16: return loop_of<Format::kBf16>(how.rounding, how.overflow)(in, out, n);
    case Format::kHf32: return loop_of<Format::kHf32>(how.rounding, how.overflow)(in, out, n);
  }
  return {};
}

// The fp16 code of values that fp16 holds exactly.
HWY_INLINE VU half_code(VF value) {
  const F f;
  const U u;
  const VU bits = hn::BitCast(u, value);
  const VU magnitude = hn::And(bits, hn::Set(u, 0x7fffffffu));
  const VU sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(u, 0x8000u));
  const VU shifted = hn::ShiftRight<13>(magnitude);
  VU code = hn::Sub(shifted, hn::Set(u, 112u << 10));
  const VU special = hn::Or(hn::And(shifted, hn::Set(u, 0x3ffu)), hn::Set(u, 0x7c00u));
  code = hn::IfThenElse(at_least(magnitude, 0x47800000u), special, code);
  const auto normal = at_least(magnitude, 0x38800000u);
  const VF units = hn::IfThenZeroElse(hn::RebindMask(f, normal), hn::BitCast(f, magnitude));
  const hn::RebindToSigned<U> i;
  const auto whole = hn::ConvertTo(i, hn::Mul(units, hn::Set(f, 0x1p24f)));
  return hn::Or(sign, hn::IfThenElse(normal, code, hn::BitCast(u, whole)));
}

// The lanes hold codes in their lower halves.
HWY_INLINE void store_codes(VU codes, std::uint16_t* out, std::size_t n) {
  const U u;
  std::uint32_t wide[kLanes];
  hn::StoreU(codes, u, wide);
  for (std::size_t k = 0; k < n; ++k) out[k] = static_cast<std::uint16_t>(wide[k]);
}

Losses encode(const float* in, std::uint16_t* out, std::size_t n, Narrowing how) {
  const F f;
  constexpr std::size_t kChunk = 1024;
  float kept[kChunk + kLanes] = {};
  constexpr std::size_t kStep = kLanes;
  Losses losses;
  for (std::size_t at = 0; at < n; at += kChunk) {
    const std::size_t count = std::min(kChunk, n - at);
    losses += narrow_values(in + at, kept, count, how);
    for (std::size_t i = 0; i < count; i += kStep) {
      const VF value = hn::LoadU(f, kept + i);
      const std::size_t left = std::min(kStep, count - i);
#if GODWIT_HAS_F16C
      if (how.format == Format::kFp16 && left == kStep) {
        const hn::Rebind<hwy::float16_t, F> half;
        const hn::Rebind<std::uint16_t, F> code;
        hn::StoreU(hn::BitCast(code, hn::DemoteTo(half, value)), code, out + at + i);
        continue;
      }
#endif
      store_codes(how.format == Format::kFp16 ? half_code(value)
                                              : hn::ShiftRight<16>(hn::BitCast(U(), value)),
                  out + at + i, left);
    }
  }
  return losses;
}

HWY_INLINE VF decode_half(VU code) {
  const F f;
  const U u;
  const VU sign = hn::ShiftLeft<16>(hn::And(code, hn::Set(u, 0x8000u)));
  const VU moved = hn::ShiftLeft<13>(hn::And(code, hn::Set(u, 0x7fffu)));
  // The exponents differ by 112; a subnormal code becomes a subnormal float and is scaled exactly.
  const VU number = hn::BitCast(u, hn::Mul(hn::BitCast(f, moved), hn::Set(f, 0x1p112f)));
  const VU mantissa = hn::And(moved, hn::Set(u, 0x7fe000u));
  const auto is_nan = hn::Ne(mantissa, hn::Zero(u));
  const VU quiet = hn::IfThenElseZero(is_nan, hn::Set(u, 0x400000u));
  const VU special = hn::Or(hn::Or(mantissa, quiet), hn::Set(u, 0x7f800000u));
  const auto is_special = at_least(moved, 0x0f800000u);
  return hn::BitCast(f, hn::Or(sign, hn::IfThenElse(is_special, special, number)));
}

void decode(const std::uint16_t* in, float* out, std::size_t n, Format format) {
  const F f;
  const U u;
  const hn::Rebind<std::uint16_t, F> code;
  constexpr std::size_t kStep = kLanes;
  for (std::size_t i = 0; i < n; i += kStep) {
    std::uint16_t rest[kLanes] = {};
    const std::size_t left = std::min(kStep, n - i);
    if (left < kStep) std::copy(in + i, in + n, rest);
    const VU wide = hn::PromoteTo(u, hn::LoadU(code, left < kStep ? rest : in + i));
    const VF value =
        format == Format::kFp16 ? decode_half(wide) : hn::BitCast(f, hn::ShiftLeft<16>(wide));
    if (left == kStep) {
      hn::StoreU(value, f, out + i);
      continue;
    }
    float last[kLanes];
    hn::StoreU(value, f, last);
    std::copy(last, last + left, out + i);
  }
}

}  // namespace

struct HalfLoops {
  Losses (*narrow)(const float*, float*, std::size_t, Narrowing);
  Losses (*encode)(const float*, std::uint16_t*, std::size_t, Narrowing);
  void (*decode)(const std::uint16_t*, float*, std::size_t, Format);
};
extern const HalfLoops kHalfLoops;
const HalfLoops kHalfLoops = {narrow_values, encode, decode};

}  // namespace godwit::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace godwit::kernels {

Losses narrow(const float* in, float* out, std::size_t n, Narrowing how) {
  if (how.format == Format::kFp32 && how.overflow == Overflow::kInfinity) {
    if (n != 0 && in != out) std::memmove(out, in, n * sizeof *in);
    return {};
  }
  return GODWIT_AT_LEVEL(kHalfLoops.narrow)(in, out, n, how);
}

Losses to_codes(const float* in, std::uint16_t* out, std::size_t n, Narrowing how) {
  return GODWIT_AT_LEVEL(kHalfLoops.encode)(in, out, n, how);
}

void from_codes(const std::uint16_t* in, float* out, std::size_t n, Format format) {
  GODWIT_AT_LEVEL(kHalfLoops.decode)(in, out, n, format);
}

}  // namespace godwit::kernels
#endif
