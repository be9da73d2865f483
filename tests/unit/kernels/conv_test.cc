// Convolutions against their definition: every path, odd shapes, pads wider than kernels, no
// pixels.
#include "kernels/conv.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "unit/kernels/levels.h"
#include "unit/kernels/values.h"

namespace godwit::kernels {
namespace {

const std::vector<ConvShape> kShapes = {
    {.channels = 3, .out_channels = 5, .in = {1, 7, 9}, .kernel = {1, 3, 3}},
    {.batch = 2, .channels = 19, .out_channels = 33, .in = {1, 6, 11}},  // pointwise
    {.channels = 8, .out_channels = 20, .in = {1, 9, 9}, .stride = {1, 2, 2}},
    {.channels = 3,
     .out_channels = 16,
     .in = {1, 23, 21},
     .kernel = {1, 7, 7},
     .stride = {1, 2, 2},
     .pad_begin = {0, 3, 3},
     .pad_end = {0, 3, 3}},
    {.batch = 2,
     .channels = 70,
     .out_channels = 30,
     .groups = 2,
     .in = {1, 7, 7},
     .kernel = {1, 3, 3},
     .pad_begin = {0, 1, 1},
     .pad_end = {0, 1, 1}},
    {.channels = 6,  // depthwise
     .out_channels = 6,
     .groups = 6,
     .in = {1, 17, 45},
     .kernel = {1, 3, 3},
     .pad_begin = {0, 1, 1},
     .pad_end = {0, 1, 1}},
    {.batch = 2,
     .channels = 3,
     .out_channels = 3,
     .groups = 3,
     .in = {1, 20, 70},
     .kernel = {1, 5, 3},
     .stride = {1, 2, 2},
     .pad_begin = {0, 2, 0},
     .pad_end = {0, 1, 1}},
    {.channels = 2,
     .out_channels = 2,
     .groups = 2,
     .in = {1, 5, 40},
     .kernel = {1, 2, 2},
     .stride = {1, 1, 3},
     .dilation = {1, 2, 3}},
    {.channels = 4,  // two outputs for each channel
     .out_channels = 8,
     .groups = 4,
     .in = {1, 5, 6},
     .kernel = {1, 3, 3},
     .dilation = {1, 2, 1},
     .pad_begin = {0, 2, 5},
     .pad_end = {0, 2, 0}},
    {.channels = 5,  // one dimension
     .out_channels = 4,
     .in = {1, 1, 50},
     .kernel = {1, 1, 4},
     .stride = {1, 1, 3},
     .dilation = {1, 1, 2},
     .pad_begin = {0, 0, 1}},
    {.channels = 3,  // three dimensions
     .out_channels = 4,
     .in = {4, 5, 6},
     .kernel = {2, 3, 2},
     .stride = {2, 1, 1},
     .pad_begin = {1, 1, 0},
     .pad_end = {0, 1, 1}},
    {.channels = 1, .out_channels = 3, .in = {1, 2, 2}, .kernel = {1, 3, 3}},  // no output
    {.channels = 0, .out_channels = 3, .in = {1, 2, 2}},                       // no products
    {.channels = 17, .out_channels = 40, .in = {1, 1, 1}},
};

struct Data {
  std::vector<float> in, weights, bias, residual;
  explicit Data(const ConvShape& s)
      : in(some_values(s.batch * s.channels * s.in_pixels(), 1)),
        weights(some_values(s.out_channels * s.group_channels() * s.taps(), 2)),
        bias(some_values(s.out_channels, 3)),
        residual(some_values(s.batch * s.out_channels * s.out_pixels(), 4)) {}
};

TEST(Conv, EveryPathAgreesWithTheDefinition) {
  at_every_level([] {
    for (std::size_t i = 0; i < kShapes.size(); ++i) {
      SCOPED_TRACE(i);
      const ConvShape& shape = kShapes[i];
      const Data data(shape);
      const Epilogue epilogue{.row_bias = data.bias.data(),
                              .residual = data.residual.data(),
                              .activation = Activation::kRelu};
      std::vector<float> expected(data.residual.size());
      ref::conv(shape, data.in.data(), data.weights.data(), expected.data(), epilogue);
      const Conv conv(shape, data.weights.data());
      for (const char* const threads : {"1", "3"}) {
        ::setenv("GODWIT_THREADS", threads, 1);
        std::vector<float> scratch(conv.scratch(3)), out(expected.size(), 7.0f);
        conv.run(data.in.data(), out.data(), epilogue, scratch.data());
        for (std::size_t k = 0; k < out.size(); ++k) ASSERT_NEAR(out[k], expected[k], 2e-5) << k;
      }
      ::unsetenv("GODWIT_THREADS");
    }
  });
}

TEST(Conv, RoundsItsOutput) {
  at_every_level([] {
    const ConvShape& shape = kShapes[4];
    const Data data(shape);
    const Conv conv(shape, data.weights.data());
    std::vector<float> scratch(conv.scratch(64));
    std::vector<float> plain(data.residual.size()), rounded(plain);
    conv.run(data.in.data(), plain.data(), {}, scratch.data());
    Losses losses;
    conv.run(data.in.data(), rounded.data(), {.store = kHalf, .losses = &losses}, scratch.data());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      EXPECT_EQ(rounded[i], ref::narrow(plain[i], kHalf));
    }
    EXPECT_EQ(losses, Losses{});
  });
}

// Values as the cube reads them.
Data halves(const ConvShape& shape) {
  Data data(shape);
  narrow(data.in.data(), data.in.data(), data.in.size(), kHalf);
  narrow(data.weights.data(), data.weights.data(), data.weights.size(), kHalf);
  return data;
}

void expect_ordered(const ConvShape& shape, const Data& data, const Epilogue& epilogue,
                    Summation how) {
  std::vector<float> expected(data.residual.size()), out(expected);
  ref::ordered_conv(shape, data.in.data(), data.weights.data(), expected.data(), epilogue, how);
  const Conv conv(shape, data.weights.data(), how);
  std::vector<float> scratch(conv.scratch(64));
  conv.run(data.in.data(), out.data(), epilogue, scratch.data());
  EXPECT_EQ(out, expected) << "order " << static_cast<int>(how.order);
}

// Beside the others: several blocks of K, sixteens that are full, short, both, and cut.
TEST(Conv, OrderedEqualsItsReference) {
  std::vector<ConvShape> shapes = kShapes;
  for (const std::size_t channels : {16, 32, 45, 64, 100}) {
    shapes.push_back({.channels = channels,
                      .out_channels = 17,
                      .in = {1, 6, 7},
                      .kernel = {1, 3, 3},
                      .pad_begin = {0, 1, 1},
                      .pad_end = {0, 1, 1}});
  }
  shapes.push_back({.channels = 900, .out_channels = 15, .in = {1, 5, 9}});
  at_every_level([&] {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      SCOPED_TRACE(i);
      const Data data = halves(shapes[i]);
      const Epilogue epilogue{
          .row_bias = data.bias.data(), .residual = data.residual.data(), .store = kSaturatingHalf};
      for (const Order order : {Order::kSequential, Order::kCube16, Order::kExact}) {
        expect_ordered(shapes[i], data, epilogue, {.order = order});
        expect_ordered(shapes[i], data, epilogue, {.order = order, .accumulator = kHalf});
      }
    }
  });
}

// The blocks of K of 16384 channels in fp64 are longer than a strip of pixels is wide.
TEST(Conv, OrderedWithManyChannels) {
  const ConvShape shape{.channels = 16384, .out_channels = 1, .in = {1, 1, 300}};
  const Data data = halves(shape);
  const Epilogue epilogue{.residual = data.residual.data()};
  expect_ordered(shape, data, epilogue, {.order = Order::kSequential});
  expect_ordered(shape, data, epilogue, {.order = Order::kExact});
}

}  // namespace
}  // namespace godwit::kernels
