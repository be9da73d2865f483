// Narrow formats: the reference against arithmetic in double, the arrays against the reference.
#include "kernels/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "unit/kernels/levels.h"
#include "unit/kernels/values.h"

namespace godwit::kernels {
namespace {

static_assert(ref::to_half(1.0f) == 0x3c00 && ref::from_half(0x7bff) == 65504.0f);
static_assert(ref::to_half(65519.0f) == 0x7bff && ref::to_half(65520.0f) == 0x7c00);
static_assert(ref::narrow(-1e9f, kSaturatingHalf) == -65504.0f);
static_assert(ref::narrow(1.0f + 0x1p-12f, {.format = Format::kHf32}) == 1.0f);
static_assert(ref::narrow(1.0f + 0x3p-12f, {.format = Format::kHf32}) == 1.0f + 0x1p-10f);

constexpr Format kFormats[] = {Format::kFp32, Format::kFp16, Format::kBf16, Format::kHf32};
constexpr Rounding kRoundings[] = {Rounding::kNearestEven, Rounding::kNearestAway,
                                   Rounding::kTowardZero, Rounding::kOdd};
constexpr Overflow kModes[] = {Overflow::kInfinity, Overflow::kSaturate};

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

// Written independently of the reference: one unit in the last place, and what lies on both sides.
double narrow_in_double(double value, Format format, Rounding rounding) {
  const double magnitude = std::fabs(value);
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int lowest = format == Format::kFp16 ? -13 : -125;
  const double unit = std::ldexp(1.0, std::max(exponent, lowest) - 1 - mantissa_bits(format));
  const double below = std::floor(magnitude / unit);
  const double rest = magnitude / unit - below;
  const bool is_odd = std::fmod(below, 2.0) == 1.0;
  bool up = false;
  if (rounding == Rounding::kNearestEven) up = rest > 0.5 || (rest == 0.5 && is_odd);
  if (rounding == Rounding::kNearestAway) up = rest >= 0.5;
  if (rounding == Rounding::kOdd) up = rest > 0 && !is_odd;
  return std::copysign((below + (up ? 1 : 0)) * unit, value);
}

// Every 40009th code and the neighbourhoods of all powers of two, both signs, NaNs among them.
std::vector<float> many_floats() {
  std::vector<float> values;
  for (std::uint64_t code = 0; code <= 0xffffffff; code += 40009) {
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(code)));
  }
  for (std::uint32_t exponent = 0; exponent < 256; ++exponent) {
    for (const std::uint32_t step : {0x0u, 0x800u, 0x1000u, 0x8000u, 0x7ff000u, 0x7fe000u}) {
      for (std::uint32_t near = 0; near < 5; ++near) {
        const std::uint32_t code = (exponent << 23) + step + near - 2;
        values.push_back(std::bit_cast<float>(code));
        values.push_back(std::bit_cast<float>(code ^ 0x80000000u));
      }
    }
  }
  return values;
}

TEST(Half, EveryCodeComesBack) {
  for (std::uint32_t code = 0; code < 65536; ++code) {
    const auto half = static_cast<std::uint16_t>(code);
    const float value = ref::from_half(half);
    const std::uint16_t quiet = std::isnan(value) ? half | 0x200 : half;
    ASSERT_EQ(ref::to_half(value), quiet);
    const float brain = ref::from_bf16(half);
    ASSERT_EQ(ref::to_bf16(brain), std::isnan(brain) ? half | 0x40 : half);
    if (std::isnan(value) || std::isinf(value)) continue;
    const int exponent = half >> 10 & 31;
    const double units = exponent == 0 ? half & 0x3ff : 0x400 + (half & 0x3ff);
    const double expected = std::ldexp(units, std::max(exponent, 1) - 25);
    ASSERT_EQ(value, half & 0x8000 ? -expected : expected);
  }
}

TEST(Half, ReferenceAgreesWithArithmetic) {
  const std::vector<float> values = many_floats();
  for (const Format format : kFormats) {
    for (const Rounding rounding : kRoundings) {
      const double largest = std::bit_cast<float>(largest_bits(format));
      for (std::size_t i = 0; i < values.size(); i += 3) {
        const float value = values[i];
        if (!std::isfinite(value)) continue;
        double expected = narrow_in_double(value, format, rounding);
        const bool to_nearest =
            rounding == Rounding::kNearestEven || rounding == Rounding::kNearestAway;
        if (std::fabs(expected) > largest) {
          expected = std::copysign(to_nearest ? double{kInf} : largest, value);
        }
        const float kept = ref::narrow(value, {.format = format, .rounding = rounding});
        ASSERT_EQ(bits(kept), bits(static_cast<float>(expected))) << value;
      }
    }
  }
}

TEST(Half, InfAndNanByMode) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(ref::narrow(nan, kHalf)));
  EXPECT_EQ(bits(ref::narrow(-nan, kSaturatingHalf)), 0u);
  EXPECT_EQ(ref::narrow(-kInf, kHalf), -kInf);
  EXPECT_EQ(ref::narrow(-kInf, kSaturatingHalf), -65504.0f);
  const Narrowing odd{.format = Format::kFp16, .rounding = Rounding::kOdd};
  EXPECT_EQ(ref::narrow(1e30f, odd), 65504.0f);
  EXPECT_EQ(ref::narrow(kInf, odd), kInf);
  EXPECT_EQ(ref::narrow(1e-30f, odd), 0x1p-24f);
}

TEST(Half, ArraysEqualTheReference) {
  const std::vector<float> values = many_floats();
  std::vector<float> out(values.size());
  at_every_level([&] {
    for (const Format format : kFormats) {
      for (const Rounding rounding : kRoundings) {
        for (const Overflow overflow : kModes) {
          const Narrowing how{format, rounding, overflow};
          const Losses losses = narrow(values.data(), out.data(), values.size(), how);
          Losses expected;
          for (std::size_t i = 0; i < values.size(); ++i) {
            ASSERT_EQ(bits(out[i]), bits(ref::narrow(values[i], how))) << bits(values[i]);
            const bool is_nan = std::isnan(values[i]);
            expected.nans += is_nan ? 1 : 0;
            const Narrowing open{format, rounding, Overflow::kInfinity};
            expected.overflows += !is_nan && std::isinf(ref::narrow(values[i], open)) ? 1 : 0;
          }
          if (format == Format::kFp32 && overflow == Overflow::kInfinity) continue;  // a copy
          EXPECT_EQ(losses, expected);
        }
      }
    }
  });
}

TEST(Half, CodesEqualTheReference) {
  const std::vector<float> values = many_floats();
  std::vector<std::uint16_t> codes(65536);
  for (std::uint32_t code = 0; code < 65536; ++code) codes[code] = static_cast<std::uint16_t>(code);
  std::vector<float> decoded(65536);
  std::vector<std::uint16_t> encoded(values.size());
  at_every_level([&] {
    from_codes(codes.data(), decoded.data(), codes.size(), Format::kFp16);
    for (const std::uint16_t code : codes) {
      ASSERT_EQ(bits(decoded[code]), bits(ref::from_half(code)));
    }
    from_codes(codes.data(), decoded.data(), codes.size(), Format::kBf16);
    for (const std::uint16_t code : codes) {
      ASSERT_EQ(bits(decoded[code]), bits(ref::from_bf16(code)));
    }
    for (const Rounding rounding : kRoundings) {
      for (const Overflow overflow : kModes) {
        to_codes(values.data(), encoded.data(), values.size(), {Format::kFp16, rounding, overflow});
        for (std::size_t i = 0; i < values.size(); ++i) {
          ASSERT_EQ(encoded[i], ref::to_half(values[i], rounding, overflow)) << bits(values[i]);
        }
        to_codes(values.data(), encoded.data(), values.size(), {Format::kBf16, rounding, overflow});
        for (std::size_t i = 0; i < values.size(); ++i) {
          ASSERT_EQ(encoded[i], ref::to_bf16(values[i], rounding, overflow)) << bits(values[i]);
        }
      }
    }
  });
}

TEST(Half, OddLengthsTouchNothingElse) {
  at_every_level([] {
    for (std::size_t n = 0; n < 70; ++n) {
      std::vector<float> values(n + 1, 1.0f + 0x1p-20f);
      narrow(values.data(), values.data(), n, kHalf);
      for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(values[i], 1.0f);
      EXPECT_EQ(values[n], 1.0f + 0x1p-20f);
    }
  });
}

}  // namespace
}  // namespace godwit::kernels
