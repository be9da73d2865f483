// Small floats: every code survives, every rounding is to the nearest, ties go to even.
#include "ir/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "ir/tensor.h"

namespace godwit::ir {
namespace {

constexpr ElementType kSmall[] = {ElementType::kFloat16,      ElementType::kBfloat16,
                                  ElementType::kFloat8E4M3FN, ElementType::kFloat8E4M3FNUZ,
                                  ElementType::kFloat8E5M2,   ElementType::kFloat8E5M2FNUZ,
                                  ElementType::kFloat4E2M1,   ElementType::kFloat8E8M0,
                                  ElementType::kFloat6E2M3,   ElementType::kFloat6E3M2};

std::uint32_t codes(const FloatFormat& f) {
  return 1u << (f.exponent_bits + f.mantissa_bits + (f.has_sign ? 1 : 0));
}

TEST(IrNumber, EveryCodeComesBack) {
  for (const ElementType type : kSmall) {
    const FloatFormat& format = *float_format(type);
    for (std::uint32_t code = 0; code < codes(format); ++code) {
      const double value = decode(format, code);
      if (std::isnan(value)) continue;
      EXPECT_EQ(decode(format, encode(format, value, Overflow::kToInfinity)), value)
          << name(type) << " " << code;
    }
  }
}

// The oracle is a search through all values of the format.
TEST(IrNumber, EncodesToTheNearestWithTiesToEven) {
  for (const ElementType type : kSmall) {
    const FloatFormat& format = *float_format(type);
    if (codes(format) > 256) continue;
    std::vector<std::pair<double, std::uint32_t>> values;
    for (std::uint32_t code = 0; code < codes(format); ++code) {
      const double value = decode(format, code);
      if (std::isfinite(value) && !std::signbit(value)) values.emplace_back(value, code);
    }
    std::sort(values.begin(), values.end());
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      const double low = values[i].first, high = values[i + 1].first;
      const double middle = low + (high - low) / 2;
      const auto nearest = [&](double x) {
        return decode(format, encode(format, x, Overflow::kSaturate));
      };
      EXPECT_EQ(nearest(std::nextafter(middle, low)), low) << name(type);
      EXPECT_EQ(nearest(std::nextafter(middle, high)), high) << name(type);
      if (format.mantissa_bits > 0) {
        EXPECT_EQ(nearest(middle), values[i].second % 2 == 0 ? low : high) << name(type) << low;
      }
    }
  }
}

TEST(IrNumber, OverflowsAsAsked) {
  EXPECT_EQ(decode(kHalf, encode(kHalf, 65519, Overflow::kToInfinity)), 65504);
  EXPECT_TRUE(std::isinf(decode(kHalf, encode(kHalf, 65520, Overflow::kToInfinity))));
  EXPECT_EQ(decode(kHalf, encode(kHalf, -1e9, Overflow::kSaturate)), -65504);
  EXPECT_TRUE(std::isnan(decode(kHalf, encode(kHalf, std::nan(""), Overflow::kToInfinity))));
  const FloatFormat& e4m3 = *float_format(ElementType::kFloat8E4M3FN);
  EXPECT_TRUE(std::isnan(decode(e4m3, encode(e4m3, 1e9, Overflow::kToInfinity))));
  EXPECT_EQ(decode(e4m3, encode(e4m3, 1e9, Overflow::kSaturate)), 448);
}

TEST(IrTensor, RefusesWhatNoMachineHolds) {
  EXPECT_FALSE(Tensor::make(ElementType::kFloat, {1 << 30, 1 << 30, 1 << 30}));
  EXPECT_FALSE(Tensor::make(ElementType::kFloat, {-1}));
  EXPECT_FALSE(Tensor::make(ElementType::kUndefined, {1}));
  const auto empty = Tensor::make(ElementType::kFloat, {1 << 20, 0});
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->count(), 0);
  EXPECT_FALSE(Tensor::make(ElementType::kFloat, {std::int64_t{1} << 50, 0}));
}

TEST(IrTensor, ReadsFourBitIntegersWithTheirSign) {
  const Tensor packed = Tensor::of<std::uint8_t>({3}, {0x0F, 0x07, 0x08}).as(ElementType::kInt4);
  EXPECT_EQ(to_integers(packed), (std::vector<std::int64_t>{-1, 7, -8}));
}

}  // namespace
}  // namespace godwit::ir
