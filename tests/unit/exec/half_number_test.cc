// Two modules know the small formats: ir/number, which reads every type bit by bit, and
// kernels/half, which is fast. They must not drift apart.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "ir/number.h"
#include "kernels/half.h"

namespace godwit {
namespace {

using kernels::Rounding;
namespace ref = kernels::ref;

bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

TEST(HalfNumber, EveryCodeMeansTheSame) {
  for (std::uint32_t code = 0; code < 65536; ++code) {
    const auto narrow = static_cast<std::uint16_t>(code);
    EXPECT_TRUE(same(ir::decode(ir::kHalf, code), ref::from_half(narrow))) << code;
    EXPECT_TRUE(same(ir::decode(ir::kBrain, code), ref::from_bf16(narrow))) << code;
  }
}

// The code itself, what lies half way to the next one, and the floats on both sides of that.
TEST(HalfNumber, EveryNumberAndEveryMiddleIsRoundedTheSame) {
  for (std::uint32_t code = 0; code < 65536; ++code) {
    for (const bool is_half : {true, false}) {
      const ir::FloatFormat& format = is_half ? ir::kHalf : ir::kBrain;
      const double value = ir::decode(format, code), next = ir::decode(format, code + 1);
      if (!std::isfinite(value) || (code & 0x7fff) == 0x7fff) continue;
      const double far = std::isfinite(next) ? next : 2 * value;
      const auto middle = static_cast<float>(value + (far - value) / 2);
      for (const float x : {static_cast<float>(value), middle, std::nextafter(middle, 0.0f),
                            std::nextafter(middle, 2 * middle)}) {
        for (const bool saturates : {true, false}) {
          const auto mine = saturates ? ir::Overflow::kSaturate : ir::Overflow::kToInfinity;
          const auto theirs =
              saturates ? kernels::Overflow::kSaturate : kernels::Overflow::kInfinity;
          const std::uint16_t found = is_half ? ref::to_half(x, Rounding::kNearestEven, theirs)
                                              : ref::to_bf16(x, Rounding::kNearestEven, theirs);
          ASSERT_EQ(ir::encode(format, x, mine), found) << x << (is_half ? " fp16" : " bf16");
        }
      }
    }
  }
}

}  // namespace
}  // namespace godwit
