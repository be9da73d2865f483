// Products and convolutions in fp64 against plain loops, at every SIMD level.
#include "kernels/wide.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "unit/kernels/levels.h"

namespace godwit::kernels {
namespace {

std::vector<double> normal(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> draw;
  std::vector<double> out(count);
  for (double& value : out) value = draw(random);
  return out;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], 1e-12 * (1 + std::fabs(expected[i]))) << i;
}

TEST(Wide, ProductsOfAllSizes) {
  at_every_level([] {
    for (const auto& [m, n, k] : {std::tuple{1, 1, 1}, {7, 5, 3}, {6, 16, 300}, {13, 33, 257}}) {
      const std::size_t rows = m, columns = n, depth = k;
      const auto a = normal(rows * depth, 1), b = normal(depth * columns, 2);
      std::vector<double> expected(rows * columns), found(rows * columns, NAN);
      for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
          for (std::size_t i = 0; i < depth; ++i)
            expected[r * columns + c] += a[r * depth + i] * b[i * columns + c];
        }
      }
      wide_gemm({rows, columns, depth, a.data(), depth, b.data(), columns, found.data(), columns});
      expect_near(found, expected);
    }
  });
}

// The value of an image at a place; 0 in the padding.
double at(const ConvShape& s, const double* plane, std::ptrdiff_t y, std::ptrdiff_t x) {
  const auto height = static_cast<std::ptrdiff_t>(s.in[1]);
  const auto width = static_cast<std::ptrdiff_t>(s.in[2]);
  return y < 0 || x < 0 || y >= height || x >= width ? 0.0 : plane[y * width + x];
}

std::vector<double> convolved(const ConvShape& s, const std::vector<double>& in,
                              const std::vector<double>& weights, const std::vector<double>& bias) {
  std::vector<double> out;
  for (std::size_t n = 0; n < s.batch; ++n) {
    for (std::size_t m = 0; m < s.out_channels; ++m) {
      const std::size_t group = m / s.group_outputs();
      for (std::size_t pixel = 0; pixel < s.out_pixels(); ++pixel) {
        double sum = 0;
        for (std::size_t c = 0; c < s.group_channels(); ++c) {
          const std::size_t channel = group * s.group_channels() + c;
          const double* const plane = in.data() + (n * s.channels + channel) * s.in_pixels();
          for (std::size_t tap = 0; tap < s.taps(); ++tap) {
            const std::size_t ty = tap / s.kernel[2], tx = tap % s.kernel[2];
            const auto place = [&](std::size_t axis, std::size_t position, std::size_t t) {
              return static_cast<std::ptrdiff_t>(position * s.stride[axis] + t * s.dilation[axis]) -
                     static_cast<std::ptrdiff_t>(s.pad_begin[axis]);
            };
            sum += weights[(m * s.group_channels() + c) * s.taps() + tap] *
                   at(s, plane, place(1, pixel / s.out(2), ty), place(2, pixel % s.out(2), tx));
          }
        }
        out.push_back(sum + bias[m]);
      }
    }
  }
  return out;
}

TEST(Wide, Convolutions) {
  const ConvShape shapes[] = {
      {.batch = 2,
       .channels = 3,
       .out_channels = 4,
       .in = {1, 7, 9},
       .kernel = {1, 3, 3},
       .pad_begin = {0, 1, 1},
       .pad_end = {0, 1, 1}},
      {.channels = 6,
       .out_channels = 4,
       .groups = 2,
       .in = {1, 9, 8},
       .kernel = {1, 3, 2},
       .stride = {1, 2, 2},
       .dilation = {1, 2, 1},
       .pad_begin = {0, 0, 1}},
      {.channels = 5, .out_channels = 7, .in = {1, 30, 30}},
      {.channels = 5, .out_channels = 7, .in = {1, 6, 6}, .stride = {1, 2, 2}},
  };
  at_every_level([&] {
    for (const ConvShape& s : shapes) {
      const auto in = normal(s.batch * s.channels * s.in_pixels(), 3);
      const auto weights = normal(s.out_channels * s.group_channels() * s.taps(), 4);
      const auto bias = normal(s.out_channels, 5);
      std::vector<double> found(s.batch * s.out_channels * s.out_pixels(), NAN);
      wide_conv(s, in.data(), weights.data(), bias.data(), found.data());
      expect_near(found, convolved(s, in, weights, bias));
    }
  });
}

}  // namespace
}  // namespace godwit::kernels
