// oneDNN, where it is, against our own kernels; where it is not, everything says so.
#include "kernels/engine.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/pool.h"
#include "unit/kernels/values.h"

namespace godwit::kernels::engine {
namespace {

Layout image(std::size_t batch, std::size_t channels, std::size_t height, std::size_t width) {
  const std::size_t dims[] = {batch, channels, height, width};
  return Layout::plain(dims);
}

void expect_near(const std::vector<float>& a, const std::vector<float>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 3e-5) << i;
}

TEST(Engine, IsThereOrSaysThatItIsNot) {
  EXPECT_EQ(is_available(), !version().empty());
  const std::vector<float> weights(4, 1.0f);
  EXPECT_EQ(make_matmul(2, 2, 2, {weights.data(), 2}, nullptr).has_value(), is_available());
  EXPECT_FALSE(make_matmul(0, 2, 2, {weights.data(), 2}, nullptr));
  EXPECT_TRUE(Layout().is_any());
}

// A convolution, a pooling and a second convolution with a residual, in blocks all the way.
TEST(Engine, KeepsItsBlocksBetweenLayers) {
  if (!is_available()) GTEST_SKIP() << "oneDNN is not installed";
  const ConvShape one{.batch = 2,
                      .channels = 3,
                      .out_channels = 20,
                      .in = {1, 15, 17},
                      .kernel = {1, 3, 3},
                      .stride = {1, 2, 1},
                      .pad_begin = {0, 1, 1},
                      .pad_end = {0, 1, 1}};
  const ConvShape two{.batch = 2, .channels = 20, .out_channels = 20, .groups = 4, .in = {1, 4, 9}};
  const PoolShape pool{.planes = 40,
                       .in = {1, 8, 17},
                       .out = {1, 4, 9},
                       .kernel = {1, 3, 3},
                       .stride = {1, 2, 2},
                       .pad_begin = {0, 1, 1},
                       .pad_end = {0, 1, 1}};
  const auto in = some_values(2 * 3 * 15 * 17, 1), w1 = some_values(20 * 27, 2);
  const auto bias = some_values(20, 3), w2 = some_values(20 * 5, 4);

  std::vector<float> a(2 * 20 * 8 * 17), b(2 * 20 * 4 * 9), expected(b);
  ref::conv(one, in.data(), w1.data(), a.data(),
            {.row_bias = bias.data(), .activation = Activation::kRelu});
  ref::max_pool(pool, a.data(), b.data());
  ref::conv(two, b.data(), w2.data(), expected.data(), {.residual = b.data()});

  const PostOp relu{.kind = PostOp::Kind::kRelu};
  const auto first = make_conv(one, w1.data(), bias.data(), {&relu, 1}, image(2, 3, 15, 17));
  ASSERT_TRUE(first);
  const auto second = make_pool(pool, 20, true, first->out());
  ASSERT_TRUE(second);
  const PostOp sum{.kind = PostOp::Kind::kSum};
  const auto third = make_conv(two, w2.data(), nullptr, {&sum, 1}, {}, second->out());
  ASSERT_TRUE(third);
  const auto to_third = make_reorder(second->out(), third->in());
  const auto back = make_reorder(third->out(), image(2, 20, 4, 9));
  ASSERT_TRUE(to_third && back);

  const Buffer x(first->out().bytes() / 4), y(second->out().bytes() / 4);
  const Buffer z(third->in().bytes() / 4);
  first->run(in.data(), x.data());
  second->run(x.data(), y.data());
  to_third->run(y.data(), z.data());
  third->run(z.data(), y.data());  // adds to what y holds
  std::vector<float> out(expected.size());
  back->run(y.data(), out.data());
  expect_near(out, expected);
  EXPECT_TRUE(image(2, 20, 4, 9).is_plain());
}

TEST(Engine, MatmulWithPostOps) {
  if (!is_available()) GTEST_SKIP() << "oneDNN is not installed";
  const auto in = some_values(7 * 30, 1), weights = some_values(30 * 11, 2);
  const auto bias = some_values(11, 3), other = some_values(7 * 11, 4);
  std::vector<float> expected(77), out(77);
  Gemm call{.m = 7, .n = 11, .k = 30, .a = {in.data(), 30}};
  call.b = MatrixView{weights.data(), 30}.transposed();
  call.c = expected.data();
  call.c_stride = 11;
  call.epilogue = {.column_bias = bias.data(), .residual = other.data()};
  gemm(call);
  unary({.op = Unary::kGelu, .in = expected.data(), .out = expected.data(), .n = 77});
  const std::size_t dims[] = {7, 11};
  const PostOp post[] = {{.kind = PostOp::Kind::kAdd, .other = Layout::plain(dims)},
                         {.kind = PostOp::Kind::kGelu}};
  const auto matmul = make_matmul(7, 11, 30, call.b, bias.data(), post);
  ASSERT_TRUE(matmul);
  const float* const others[] = {other.data()};
  matmul->run(in.data(), out.data(), others);
  expect_near(out, expected);
}

}  // namespace
}  // namespace godwit::kernels::engine
