// Element-wise kernels: errors against fp64 over the whole range, broadcasts, NaN, odd lengths.
#include "kernels/elementwise.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "unit/kernels/levels.h"
#include "unit/kernels/values.h"

namespace godwit::kernels {
namespace {

std::vector<float> applied(Unary op, const std::vector<float>& in, float a = 0, float b = 0) {
  std::vector<float> out(in.size());
  unary({.op = op, .in = in.data(), .out = out.data(), .n = in.size(), .a = a, .b = b});
  return out;
}

// Finite floats of both signs, every 19997th code.
std::vector<float> all_over() {
  std::vector<float> values;
  for (std::uint64_t code = 0; code < 0x100000000; code += 19997) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(code));
    if (std::isfinite(value)) values.push_back(value);
  }
  return values;
}

double ulps(float computed, double exact) {
  if (std::isinf(computed)) return std::fabs(exact) > 3.402823e38 ? 0 : 1e9;
  int exponent = 0;
  std::frexp(exact, &exponent);
  const double unit = std::ldexp(1.0, std::max(exponent - 24, -149));
  return std::fabs(double{computed} - exact) / unit;
}

TEST(Elementwise, ErrorsStayWithinTheirBounds) {
  const struct {
    Unary op;
    double bound;
    std::function<double(double)> exact;
  } cases[] = {
      {Unary::kExp, 1.1, [](double x) { return std::exp(x); }},
      {Unary::kSigmoid, 2.5,
       [](double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }},
      {Unary::kTanh, 1.5, [](double x) { return std::tanh(x); }},
      {Unary::kErf, 1.5, [](double x) { return std::erf(x); }},
      {Unary::kRsqrt, 1.5, [](double x) { return x < 0 ? NAN : 1 / std::sqrt(x); }},
      {Unary::kSqrt, 0.5, [](double x) { return x < 0 ? NAN : std::sqrt(x); }},
  };
  const std::vector<float> values = all_over();
  at_every_level([&] {
    for (const auto& one : cases) {
      const std::vector<float> out = applied(one.op, values);
      double worst = 0;
      float where = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double exact = one.exact(double{values[i]});
        if (std::isnan(exact) || std::isinf(exact)) continue;
        const double error = ulps(out[i], exact);
        if (error > worst) where = values[i];
        worst = std::max(worst, error);
      }
      EXPECT_LE(worst, one.bound) << static_cast<int>(one.op) << " at " << where;
    }
  });
}

TEST(Elementwise, GeluAndSilu) {
  std::vector<float> values;
  for (float x = -12; x < 12; x += 0.00137f) values.push_back(x);
  at_every_level([&] {
    const std::vector<float> gelu = applied(Unary::kGelu, values);
    const std::vector<float> form = applied(Unary::kGeluTanh, values);
    const std::vector<float> silu = applied(Unary::kSilu, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double x = values[i];
      EXPECT_NEAR(gelu[i], 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))), 0x1p-22 * std::fabs(x));
      const double u = 2 * std::sqrt(2 / 3.14159265358979) * (x + 0.044715 * x * x * x);
      const double tanh_form = x / (1 + std::exp(-u));
      const double relative = std::fabs(x) < 4 ? 0x1p-19 * std::fabs(tanh_form) : 1e-6;
      EXPECT_NEAR(form[i], tanh_form, relative) << x;
      EXPECT_LE(ulps(silu[i], x / (1 + std::exp(-x))), 3.0) << x;
    }
  });
}

TEST(Elementwise, SpecialValues) {
  at_every_level([] {
    const std::vector<float> in{kInf, -kInf, kNan, 0.0f, -0.0f, 1e-40f, 88.7f, 89.5f, -103.0f};
    const auto exp = applied(Unary::kExp, in);
    EXPECT_EQ(exp[0], kInf);
    EXPECT_EQ(exp[1], 0);
    EXPECT_TRUE(std::isnan(exp[2]));
    EXPECT_EQ(exp[3], 1);
    EXPECT_TRUE(std::isfinite(exp[6]));
    EXPECT_EQ(exp[7], kInf);
    EXPECT_EQ(exp[8], 0x1p-149f);
    const auto tanh = applied(Unary::kTanh, in);
    EXPECT_EQ(tanh[0], 1);
    EXPECT_EQ(tanh[1], -1);
    EXPECT_TRUE(std::isnan(tanh[2]));
    EXPECT_TRUE(std::signbit(tanh[4]));
    const auto erf = applied(Unary::kErf, in);
    EXPECT_EQ(erf[0], 1);
    EXPECT_EQ(erf[1], -1);
    EXPECT_TRUE(std::isnan(erf[2]));
    EXPECT_TRUE(std::isnan(applied(Unary::kRelu, in)[2]));
    EXPECT_TRUE(std::isnan(applied(Unary::kClip, in, -1, 1)[2]));
    EXPECT_EQ(applied(Unary::kClip, in, -1, 1)[0], 1);
    EXPECT_EQ(applied(Unary::kSigmoid, in)[1], 0);
    EXPECT_EQ(applied(Unary::kLeakyRelu, {-2, 3}, 0.25f), (std::vector<float>{-0.5f, 3}));
    EXPECT_EQ(applied(Unary::kHardSigmoid, {-9, 1, 9}, 0.25f, 0.5f),
              (std::vector<float>{0, 0.75f, 1}));
    EXPECT_EQ(applied(Unary::kHardSwish, {-9, 3, 9}), (std::vector<float>{0, 3, 9}));
  });
}

float scalar(Binary op, float x, float y) {
  switch (op) {
    case Binary::kAdd: return x + y;
    case Binary::kSubtract: return x - y;
    case Binary::kMultiply: return x * y;
    case Binary::kDivide: return x / y;
    case Binary::kMinimum: return std::isnan(x) || x < y ? x : y;
    case Binary::kMaximum: return std::isnan(x) || x > y ? x : y;
    case Binary::kPower: return std::pow(x, y);
  }
  return 0;
}

TEST(Elementwise, BinaryBroadcasts) {
  constexpr std::size_t kRows = 5, kColumns = 37;
  std::vector<float> x = some_values(kRows * kColumns, 1, 4.0f),
                     y = some_values(kRows * kColumns, 2);
  x[3] = kNan;
  y[40] = kNan;
  const Operand forms[] = {
      {y.data(), kColumns, 1}, {y.data(), 0, 1}, {y.data(), 1, 0}, {y.data(), 0, 0}};
  at_every_level([&] {
    for (const Binary op : {Binary::kAdd, Binary::kSubtract, Binary::kMultiply, Binary::kDivide,
                            Binary::kMinimum, Binary::kMaximum, Binary::kPower}) {
      for (const Operand& form : forms) {
        for (const bool swapped : {false, true}) {
          std::vector<float> out(x.size());
          BinaryCall call{.op = op, .x = {x.data(), kColumns, 1}, .y = form, .out = out.data()};
          if (swapped) std::swap(call.x, call.y);
          call.rows = kRows;
          call.columns = kColumns;
          call.store.how = kHalf;
          binary(call);
          for (std::size_t i = 0; i < out.size(); ++i) {
            const std::size_t row = i / kColumns, column = i % kColumns;
            const float a = call.x.data[row * call.x.row_step + column * call.x.column_step];
            const float b = call.y.data[row * call.y.row_step + column * call.y.column_step];
            const float expected = ref::narrow(scalar(op, a, b), kHalf);
            ASSERT_TRUE(out[i] == expected || (std::isnan(out[i]) && std::isnan(expected))) << i;
          }
        }
      }
    }
  });
}

TEST(Elementwise, CountsWhatItLosesOnManyThreads) {
  std::vector<float> x(100'003, 300.0f);
  Losses losses;
  unary({.op = Unary::kSquare,
         .in = x.data(),
         .out = x.data(),
         .n = x.size(),
         .store = {kSaturatingHalf, &losses}});
  EXPECT_EQ(losses, (Losses{.overflows = 100'003}));
  for (const float value : x) EXPECT_EQ(value, 65504.0f);
}

TEST(Elementwise, ScaleShift) {
  const std::vector<float> in = some_values(6 * 50, 1), scale = some_values(3, 2),
                           shift = some_values(3, 3);
  std::vector<float> out(in.size());
  at_every_level([&] {
    scale_shift({.in = in.data(),
                 .out = out.data(),
                 .planes = 6,
                 .pixels = 50,
                 .channels = 3,
                 .scale = scale.data(),
                 .shift = shift.data(),
                 .activation = Unary::kRelu});
    for (std::size_t i = 0; i < in.size(); ++i) {
      const float product = in[i] * scale[i / 50 % 3];
      EXPECT_EQ(out[i], std::max(product + shift[i / 50 % 3], 0.0f));
    }
  });
}

}  // namespace
}  // namespace godwit::kernels
