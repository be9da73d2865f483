// Narrow floating-point formats: what the NPU keeps of an fp32 value when it stores it as fp16,
// bf16 or HF32. The scalar functions here are the truth; the array forms give the same bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace godwit::kernels {

enum class Format : std::uint8_t {
  kFp32,
  kFp16,  ///< 10 explicit mantissa bits, 5 exponent bits, largest 65504, smallest 2^-24
  kBf16,  ///< 7 explicit mantissa bits, fp32's exponents
  kHf32,  ///< 11 explicit mantissa bits, fp32's exponents: what the 910B's cube reads of an fp32
};

enum class Rounding : std::uint8_t {
  kNearestEven,  ///< CAST_NONE, CAST_RINT
  kNearestAway,  ///< ties away from zero: CAST_ROUND
  kTowardZero,   ///< CAST_TRUNC
  kOdd,          ///< an inexact result gets an odd last bit (CAST_ODD): safe to round a second time
};

/// What becomes of a value beyond the largest finite one, of Inf and of NaN.
enum class Overflow : std::uint8_t {
  kInfinity,  ///< Inf, Inf and a quiet NaN with the leading bits of its payload (910B)
  kSaturate,  ///< the largest finite value with the sign; NaN becomes +0 (310P, 910A, 310B)
};

struct Narrowing {
  Format format = Format::kFp32;
  Rounding rounding = Rounding::kNearestEven;
  Overflow overflow = Overflow::kInfinity;
  friend bool operator==(const Narrowing&, const Narrowing&) = default;
};

inline constexpr Narrowing kHalf{.format = Format::kFp16};
inline constexpr Narrowing kSaturatingHalf{.format = Format::kFp16,
                                           .overflow = Overflow::kSaturate};

/// Values that a narrowing could not keep, in either mode.
struct Losses {
  std::uint64_t overflows = 0;  ///< Inf, or finite and rounded beyond the largest finite value
  std::uint64_t nans = 0;
  Losses& operator+=(const Losses& more) {
    overflows += more.overflows;
    nans += more.nans;
    return *this;
  }
  friend bool operator==(const Losses&, const Losses&) = default;
};

constexpr int mantissa_bits(Format format) {
  switch (format) {
    case Format::kFp32: return 23;
    case Format::kFp16: return 10;
    case Format::kBf16: return 7;
    case Format::kHf32: return 11;
  }
  return 23;
}

/// Bits of the largest finite value, as fp32.
constexpr std::uint32_t largest_bits(Format format) {
  if (format == Format::kFp16) return 0x477fe000;  // 65504
  return 0x7f800000u - (1u << (23 - mantissa_bits(format)));
}

namespace ref {

/// `kept` is what stays of a magnitude, `rest` what goes, `half` the middle of what can go.
constexpr std::uint64_t round_up(std::uint64_t kept, std::uint64_t rest, std::uint64_t half,
                                 Rounding rounding) {
  switch (rounding) {
    case Rounding::kNearestEven: return rest > half || (rest == half && kept % 2 == 1) ? 1 : 0;
    case Rounding::kNearestAway: return rest >= half ? 1 : 0;
    case Rounding::kTowardZero: return 0;
    case Rounding::kOdd: return rest != 0 && kept % 2 == 0 ? 1 : 0;
  }
  return 0;
}

/// Magnitude bits of a finite fp32, rounded to the format; may be beyond its largest value.
constexpr std::uint32_t round_magnitude(std::uint32_t magnitude, Format format, Rounding rounding) {
  const int drop = 23 - mantissa_bits(format);
  constexpr std::uint32_t kSmallestNormalHalf = 0x38800000;  // 2^-14
  if (format == Format::kFp16 && magnitude < kSmallestNormalHalf) {
    // Below it fp16 is a fixed-point number in units of 2^-24.
    const std::uint32_t exponent = magnitude >> 23;
    const std::uint64_t significand = (magnitude & 0x7fffff) | (exponent == 0 ? 0u : 0x800000u);
    const std::uint32_t by = 126 - (exponent == 0 ? 1 : exponent);
    if (by > 60) {
      return magnitude != 0 && rounding == Rounding::kOdd ? 0x33800000 : 0;  // 2^-24
    }
    const std::uint64_t kept = significand >> by;
    const std::uint64_t rest = significand - (kept << by);
    const std::uint64_t units = kept + round_up(kept, rest, std::uint64_t{1} << (by - 1), rounding);
    return std::bit_cast<std::uint32_t>(static_cast<float>(units) * 0x1p-24f);
  }
  const std::uint32_t kept = magnitude >> drop;
  const std::uint32_t rest = magnitude - (kept << drop);
  if (drop == 0) return magnitude;
  const auto up = static_cast<std::uint32_t>(round_up(kept, rest, 1u << (drop - 1), rounding));
  const std::uint32_t rounded = (kept + up) << drop;
  // Rounding to odd or toward zero never leaves the finite range.
  const bool stays = rounding == Rounding::kOdd || rounding == Rounding::kTowardZero;
  return stays && rounded > largest_bits(format) ? largest_bits(format) : rounded;
}

/// The fp32 value that remains of `value`. Exact: every rounding is decided on the bits.
constexpr float narrow(float value, Narrowing how) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits & 0x80000000;
  const std::uint32_t magnitude = bits & 0x7fffffff;
  const bool saturates = how.overflow == Overflow::kSaturate;
  if (how.format == Format::kFp32 && !saturates) return value;
  if (magnitude > 0x7f800000) {
    const std::uint32_t payload = 0u - (1u << (23 - mantissa_bits(how.format)));
    return saturates ? 0.0f : std::bit_cast<float>((bits | 0x400000) & payload);
  }
  const std::uint32_t largest = largest_bits(how.format);
  const std::uint32_t rounded =
      magnitude == 0x7f800000 ? magnitude : round_magnitude(magnitude, how.format, how.rounding);
  if (rounded <= largest) return std::bit_cast<float>(sign | rounded);
  return std::bit_cast<float>(sign | (saturates ? largest : 0x7f800000u));
}

/// The fp32 value of an fp16 code; exact. A signalling NaN becomes quiet.
constexpr float from_half(std::uint16_t code) {
  const std::uint32_t sign = (code & 0x8000u) << 16;
  const std::uint32_t exponent = (code >> 10) & 31;
  const std::uint32_t mantissa = code & 0x3ffu;
  if (exponent == 31) {
    const std::uint32_t quiet = mantissa == 0 ? 0 : 0x400000;
    return std::bit_cast<float>(sign | 0x7f800000 | quiet | mantissa << 13);
  }
  if (exponent == 0) {
    const auto magnitude = std::bit_cast<std::uint32_t>(static_cast<float>(mantissa) * 0x1p-24f);
    return std::bit_cast<float>(sign | magnitude);
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

/// The fp16 code of `value`.
constexpr std::uint16_t to_half(float value, Rounding rounding = Rounding::kNearestEven,
                                Overflow overflow = Overflow::kInfinity) {
  const auto bits = std::bit_cast<std::uint32_t>(
      narrow(value, {.format = Format::kFp16, .rounding = rounding, .overflow = overflow}));
  const std::uint32_t sign = bits >> 16 & 0x8000;
  const std::uint32_t magnitude = bits & 0x7fffffff;
  std::uint32_t code = (magnitude - (112u << 23)) >> 13;
  if (magnitude >= 0x47800000) code = 0x7c00 | (magnitude >> 13 & 0x3ff);
  if (magnitude < 0x38800000) {
    code = static_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p24f);
  }
  return static_cast<std::uint16_t>(sign | code);
}

constexpr float from_bf16(std::uint16_t code) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(code) << 16);
}

constexpr std::uint16_t to_bf16(float value, Rounding rounding = Rounding::kNearestEven,
                                Overflow overflow = Overflow::kInfinity) {
  const float kept =
      narrow(value, {.format = Format::kBf16, .rounding = rounding, .overflow = overflow});
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(kept) >> 16);
}

}  // namespace ref

/// Narrows `n` values; `in` and `out` may be the same array. Bit-equal to ref::narrow at every SIMD
/// level. Returns how many values overflowed and how many were NaN. kFp32 copies, or with kSaturate
/// replaces Inf by the largest float and NaN by 0.
Losses narrow(const float* in, float* out, std::size_t n, Narrowing how);

/// Converts to 16-bit codes; `how.format` is kFp16 or kBf16. Bit-equal to ref::to_half,
/// ref::to_bf16.
Losses to_codes(const float* in, std::uint16_t* out, std::size_t n, Narrowing how);

/// Converts from 16-bit codes, exactly; `format` is kFp16 or kBf16.
void from_codes(const std::uint16_t* in, float* out, std::size_t n, Format format);

}  // namespace godwit::kernels
