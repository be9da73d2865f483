// Products against sums in double and against the ordered reference, at odd sizes and strides.
#include "kernels/gemm.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "kernels/ordered.h"
#include "unit/kernels/levels.h"
#include "unit/kernels/values.h"

namespace godwit::kernels {
namespace {

struct Shape {
  std::size_t m, n, k;
};

constexpr Shape kShapes[] = {{1, 1, 1},    {3, 5, 7},     {14, 32, 16},  {15, 33, 17},
                             {29, 70, 40}, {64, 49, 400}, {1, 100, 800}, {40, 1, 31},
                             {5, 64, 0},   {0, 4, 3},     {4, 0, 3}};

// |computed - exact| within the documented bound.
void expect_close(const Gemm& call, const std::vector<float>& before) {
  for (std::size_t row = 0; row < call.m; ++row) {
    for (std::size_t column = 0; column < call.n; ++column) {
      double sum = 0;
      double magnitude = 0;
      for (std::size_t i = 0; i < call.k; ++i) {
        const double product =
            double{call.a.data[row * call.a.row_stride + i * call.a.column_stride]} *
            double{call.b.data[i * call.b.row_stride + column * call.b.column_stride]};
        sum += product;
        magnitude += std::fabs(product);
      }
      const std::size_t at = row * call.c_stride + column;
      const double kept = call.beta == 0 ? 0.0 : double{call.beta} * double{before[at]};
      const double expected = kept + double{call.alpha} * sum;
      const double roundings = static_cast<double>(std::min(call.k, kDepth) + call.k / kDepth + 4);
      const double bound = roundings * 0x1p-24 *
                           (magnitude * std::fabs(double{call.alpha}) + std::fabs(kept) + 1e-30);
      ASSERT_NEAR(call.c[at], expected, bound) << row << "," << column;
    }
  }
}

TEST(Gemm, OddSizesStridesAndTransposes) {
  at_every_level([] {
    for (const auto [m, n, k] : kShapes) {
      const std::vector<float> a = some_values((m + 3) * (k + 3), 1);
      const std::vector<float> b = some_values((k + 3) * (n + 3), 2);
      const std::vector<float> before = some_values(m * (n + 2), 3);
      const MatrixView lefts[] = {{a.data(), k + 3}, MatrixView{a.data(), m + 3}.transposed()};
      const MatrixView rights[] = {{b.data(), n + 3}, MatrixView{b.data(), k + 3}.transposed()};
      for (const MatrixView left : lefts) {
        for (const MatrixView right : rights) {
          for (const float beta : {0.0f, 1.0f, -0.5f}) {
            std::vector<float> c = before;
            Gemm call{.m = m, .n = n, .k = k, .a = left, .b = right, .c = c.data()};
            call.c_stride = n + 2;
            call.alpha = beta == 1.0f ? 1.0f : 0.75f;
            call.beta = beta;
            gemm(call);
            expect_close(call, before);
            for (std::size_t row = 0; row < m; ++row) {
              ASSERT_EQ(c[row * (n + 2) + n], before[row * (n + 2) + n]);
            }
          }
        }
      }
    }
  });
}

TEST(Gemm, PackedOperandsAndThreadsGiveTheSameBits) {
  at_every_level([] {
    const Shape shape{61, 83, 797};
    const std::vector<float> a = some_values(shape.m * shape.k, 4);
    const std::vector<float> b = some_values(shape.k * shape.n, 5);
    std::vector<std::vector<float>> results;
    for (const char* const threads : {"1", "3"}) {
      ASSERT_EQ(::setenv("GODWIT_THREADS", threads, 1), 0);
      const PackedMatrix left(Side::kLeft, shape.m, shape.k, {a.data(), shape.k});
      const PackedMatrix right(Side::kRight, shape.k, shape.n, {b.data(), shape.n});
      for (int packed = 0; packed < 4; ++packed) {
        std::vector<float> c(shape.m * shape.n);
        Gemm call{.m = shape.m, .n = shape.n, .k = shape.k, .a = {a.data(), shape.k}};
        call.b = {b.data(), shape.n};
        if (packed & 1) call.packed_a = &left;
        if (packed & 2) call.packed_b = &right;
        call.c = c.data();
        call.c_stride = shape.n;
        gemm(call);
        results.push_back(c);
      }
    }
    ::unsetenv("GODWIT_THREADS");
    for (const auto& result : results) EXPECT_EQ(result, results[0]);
  });
}

TEST(Gemm, EpilogueEqualsItsReference) {
  at_every_level([] {
    const Shape shape{17, 45, 33};
    const std::vector<float> a = some_values(shape.m * shape.k, 6, 300.0f);
    const std::vector<float> b = some_values(shape.k * shape.n, 7, 300.0f);
    const std::vector<float> rows = some_values(shape.m, 8), columns = some_values(shape.n, 9);
    const std::vector<float> residual = some_values(shape.m * shape.n, 10, 30000.0f);
    std::vector<float> plain(shape.m * shape.n);
    Gemm call{.m = shape.m, .n = shape.n, .k = shape.k, .a = {a.data(), shape.k}};
    call.b = {b.data(), shape.n};
    call.c = plain.data();
    call.c_stride = shape.n;
    gemm(call);
    for (const Activation activation :
         {Activation::kNone, Activation::kRelu, Activation::kClip, Activation::kLeakyRelu}) {
      for (const Narrowing store :
           {Narrowing{}, kHalf, kSaturatingHalf,
            Narrowing{Format::kBf16, Rounding::kOdd, Overflow::kInfinity}}) {
        Losses losses;
        call.epilogue = {.row_bias = rows.data(),
                         .column_bias = columns.data(),
                         .product = store,
                         .residual = residual.data(),
                         .activation = activation,
                         .low = activation == Activation::kClip ? -2.0f : 0.1f,
                         .high = 6,
                         .store = store,
                         .losses = &losses};
        std::vector<float> c(plain.size());
        call.c = c.data();
        gemm(call);
        for (std::size_t i = 0; i < c.size(); ++i) {
          const float expected = ref::finish(plain[i], call.epilogue, i / shape.n, i % shape.n, i);
          ASSERT_EQ(std::bit_cast<std::uint32_t>(c[i]), std::bit_cast<std::uint32_t>(expected));
        }
        EXPECT_EQ(losses.overflows > 0, store.format == Format::kFp16);
        EXPECT_EQ(losses.nans, 0u);
      }
    }
  });
}

TEST(Gemm, NanAndInfPassAndPaddingMakesNone) {
  at_every_level([] {
    std::vector<float> a(3 * 20, 1.0f), b(20 * 5, 1.0f), c(3 * 5);
    a[1 * 20 + 7] = kInf;
    b[3 * 5 + 2] = std::numeric_limits<float>::quiet_NaN();
    Losses losses;
    Gemm call{.m = 3, .n = 5, .k = 20, .a = {a.data(), 20}, .b = {b.data(), 5}, .c = c.data()};
    call.c_stride = 5;
    call.epilogue.store = kSaturatingHalf;
    call.epilogue.losses = &losses;
    const std::vector<float> expected{20,    20,    0, 20,    20,     // NaN became 0
                                      65504, 65504, 0, 65504, 65504,  // Inf the largest
                                      20,    20,    0, 20,    20};
    gemm(call);
    EXPECT_EQ(c, expected);
    EXPECT_EQ(losses, (Losses{.overflows = 4, .nans = 3}));
    losses = {};
    call.order = Summation{.order = Order::kCube16, .accumulator = kSaturatingHalf};
    gemm(call);
    EXPECT_GT(losses.overflows, 0u);
    EXPECT_GE(losses.nans, 3u);
  });
}

TEST(Gemm, Batches) {
  const std::vector<float> a = some_values(4 * 6 * 8, 11), b = some_values(8 * 9, 12);
  std::vector<float> c(4 * 6 * 9);
  Gemm call{.m = 6, .n = 9, .k = 8, .a = {a.data(), 8}, .b = {b.data(), 9}, .c = c.data()};
  call.c_stride = 9;
  call.batch = 4;
  call.a_step = 48;
  call.c_step = 54;
  gemm(call);
  for (std::size_t item = 0; item < 4; ++item) {
    Gemm one = call;
    one.a.data += item * 48;
    one.c += item * 54;
    expect_close(one, c);
  }
}

// Values as a cube reads them, whose products are exact.
std::vector<float> some_operand(std::size_t n, std::uint64_t seed, Format format) {
  std::vector<float> values = some_values(n, seed, 20.0f);
  narrow(values.data(), values.data(), n, {.format = format});
  return values;
}

TEST(Gemm, PrescribedOrdersEqualTheReference) {
  constexpr Narrowing kAccumulators[] = {{}, kHalf, kSaturatingHalf};
  constexpr Format kFormats[] = {Format::kFp16, Format::kHf32};
  at_every_level([&] {
    for (const auto [m, n, k] : {Shape{5, 37, 70}, Shape{4, 16, 16}, Shape{1, 3, 5}, Shape{2, 2, 0},
                                 Shape{29, 70, 401}, Shape{15, 33, 800}}) {
      for (const Format format : kFormats) {
        const std::vector<float> a = some_operand(m * k + 1, 13, format);
        const std::vector<float> b = some_operand(k * n + 1, 14, format);
        for (const Order order : {Order::kSequential, Order::kCube16, Order::kExact}) {
          for (const Narrowing accumulator : kAccumulators) {
            std::vector<float> c = some_values(2 * m * n, 15), expected = c;
            Gemm call{.m = m, .n = n, .k = k, .a = {a.data(), k}, .b = {b.data(), n}};
            call.c = c.data();
            call.c_stride = n;
            call.alpha = m == 29 ? 1.0f : 0.3f;
            call.beta = m == 29 ? 0.0f : 0.7f;
            call.batch = 2;
            call.c_step = m * n;
            call.epilogue.store = kHalf;
            call.order = Summation{order, accumulator};
            gemm(call);
            call.c = expected.data();
            ref::ordered_gemm(call, *call.order);
            ASSERT_EQ(c, expected) << m << " x " << n << " x " << k;
          }
        }
      }
    }
  });
}

TEST(Gemm, PackedOperandsKeepThePrescribedOrder) {
  at_every_level([] {
    const auto a = some_operand(23 * 790, 18, Format::kFp16);
    const auto b = some_operand(790 * 45, 19, Format::kFp16);
    for (const Order order : {Order::kSequential, Order::kCube16, Order::kExact}) {
      std::vector<float> c(23 * 45), expected(c);
      Gemm call{.m = 23, .n = 45, .k = 790, .a = {a.data(), 790}, .b = {b.data(), 45}};
      call.c = expected.data();
      call.c_stride = 45;
      call.order = Summation{order};
      ref::ordered_gemm(call, *call.order);
      const std::size_t depth = block_depth(790, call.order);
      const PackedMatrix left(Side::kLeft, 23, 790, call.a, depth);
      const PackedMatrix right(Side::kRight, 790, 45, call.b, depth);
      call.c = c.data();
      call.packed_a = &left;
      gemm(call);
      EXPECT_EQ(c, expected);
      call.packed_b = &right;
      gemm(call);
      EXPECT_EQ(c, expected);
    }
  });
}

// Products of fp16 numbers are exact in fp32: every fused level adds the same numbers in one order.
TEST(Gemm, HalfInputsGiveTheSameBitsAtEveryLevel) {
  std::vector<float> a = some_values(33 * 900, 16), b = some_values(900 * 40, 17);
  narrow(a.data(), a.data(), a.size(), kHalf);
  narrow(b.data(), b.data(), b.size(), kHalf);
  std::vector<std::vector<float>> results;
  at_every_level([&] {
    std::vector<float> c(33 * 40);
    Gemm call{.m = 33, .n = 40, .k = 900, .a = {a.data(), 900}, .b = {b.data(), 40}};
    call.c = c.data();
    call.c_stride = 40;
    gemm(call);
    results.push_back(c);
  });
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
}

}  // namespace
}  // namespace godwit::kernels
