// Row kernels and pooling against double and against the prescribed order of sums.
#include "kernels/rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/pool.h"
#include "unit/kernels/levels.h"
#include "unit/kernels/values.h"

namespace godwit::kernels {
namespace {

constexpr std::size_t kWidths[] = {1, 2, 15, 16, 63, 64, 65, 200, 1000};

TEST(Rows, SumsHaveOneOrder) {
  at_every_level([] {
    for (const std::size_t columns : kWidths) {
      const std::vector<float> in = some_values(3 * columns, columns);
      std::vector<float> out(3);
      const Rows call{.in = in.data(), .out = out.data(), .rows = 3, .columns = columns};
      reduce_rows(Reduction::kSum, call);
      for (std::size_t row = 0; row < 3; ++row) {
        EXPECT_EQ(out[row], ref::tree_sum(in.data() + row * columns, columns));
      }
      reduce_rows(Reduction::kMaximum, call);
      EXPECT_EQ(out[2], *std::max_element(in.begin() + static_cast<long>(2 * columns), in.end()));
      reduce_rows(Reduction::kMinimum, call);
      EXPECT_EQ(out[2], *std::min_element(in.begin() + static_cast<long>(2 * columns), in.end()));
    }
  });
}

TEST(Rows, Softmax) {
  at_every_level([] {
    for (const std::size_t columns : kWidths) {
      std::vector<float> in = some_values(2 * columns, columns, 20.0f);
      std::vector<float> expected(in.size());
      for (std::size_t row = 0; row < 2; ++row) {
        const float* const x = in.data() + row * columns;
        const float top = *std::max_element(x, x + columns);
        double sum = 0;
        for (std::size_t i = 0; i < columns; ++i) sum += std::exp(double{x[i] - top});
        for (std::size_t i = 0; i < columns; ++i) {
          const double exact = std::exp(double{x[i] - top}) / sum;
          expected[row * columns + i] = static_cast<float>(exact);
        }
      }
      softmax({.in = in.data(), .out = in.data(), .rows = 2, .columns = columns});
      for (std::size_t i = 0; i < in.size(); ++i) {
        EXPECT_NEAR(in[i], expected[i], 4 * 0x1p-23 * expected[i] + 1e-44);
      }
    }
    std::vector<float> wide(300, 1.0f);
    wide[100] = kNan;
    softmax({.in = wide.data(), .out = wide.data(), .rows = 1, .columns = 300});
    for (const float value : wide) EXPECT_TRUE(std::isnan(value));
    std::vector<float> odd{1, kNan, 2, -kInf, -kInf, -kInf, 0, kInf, 0, 7, -kInf, 7};
    softmax({.in = odd.data(), .out = odd.data(), .rows = 4, .columns = 3});
    for (std::size_t i = 0; i < 6; ++i) EXPECT_TRUE(std::isnan(odd[i]));
    EXPECT_TRUE(std::isnan(odd[7]));
    EXPECT_EQ(odd[9], 0.5f);
    EXPECT_EQ(odd[10], 0.0f);
  });
}

TEST(Rows, Normalize) {
  at_every_level([] {
    for (const std::size_t columns : kWidths) {
      const std::vector<float> in = some_values(2 * columns, 5, 3.0f);
      const std::vector<float> scale = some_values(columns, 6), shift = some_values(columns, 7);
      std::vector<float> out(in.size());
      for (const bool centred : {true, false}) {
        normalize({.in = in.data(), .out = out.data(), .rows = 2, .columns = columns},
                  {.scale = scale.data(), .shift = shift.data(), .centred = centred});
        const float* const x = in.data() + columns;
        double mean = 0, variance = 0;
        const auto n = static_cast<double>(columns);
        for (std::size_t i = 0; i < columns && centred; ++i) mean += double{x[i]} / n;
        for (std::size_t i = 0; i < columns; ++i) variance += std::pow(x[i] - mean, 2) / n;
        for (std::size_t i = 0; i < columns; ++i) {
          const double y = (x[i] - mean) / std::sqrt(variance + 1e-5) * scale[i] + shift[i];
          EXPECT_NEAR(out[columns + i], y, 2e-6);
        }
      }
    }
  });
}

TEST(Rows, ReduceColumns) {
  at_every_level([] {
    std::vector<float> in = some_values(7 * 33, 8);
    in[2 * 33 + 4] = kNan;
    std::vector<float> out(33);
    const Rows call{.in = in.data(), .out = out.data(), .rows = 7, .columns = 33};
    reduce_columns(Reduction::kMean, call);
    float sum = 0;
    for (std::size_t row = 0; row < 7; ++row) sum += in[row * 33 + 5];
    EXPECT_EQ(out[5], sum / 7);
    reduce_columns(Reduction::kMaximum, call);
    EXPECT_TRUE(std::isnan(out[4]));
    EXPECT_FALSE(std::isnan(out[5]));
  });
}

TEST(Rows, NothingAtAll) {
  std::vector<float> out(2, 5.0f);
  const Rows none{.out = out.data(), .rows = 2};
  reduce_rows(Reduction::kSum, none);
  EXPECT_EQ(out, (std::vector<float>{0, 0}));
  reduce_rows(Reduction::kMaximum, none);
  EXPECT_EQ(out[0], -kInf);
  reduce_rows(Reduction::kMean, none);
  EXPECT_TRUE(std::isnan(out[1]));
  softmax(none);
  reduce_columns(Reduction::kSum, none);
}

const std::vector<PoolShape> kPools = {
    {.planes = 3,
     .in = {1, 9, 40},
     .out = {1, 5, 20},
     .kernel = {1, 3, 3},
     .stride = {1, 2, 2},
     .pad_begin = {0, 1, 1},
     .pad_end = {0, 1, 1}},
    {.in = {1, 5, 6},
     .out = {1, 3, 3},
     .kernel = {1, 2, 2},
     .stride = {1, 2, 2},
     .counts_padding = true},
    {.planes = 2,
     .in = {3, 4, 9},
     .out = {2, 3, 5},
     .kernel = {2, 2, 3},
     .dilation = {1, 1, 2},
     .pad_end = {0, 0, 0}},
    {.in = {1, 1, 7},
     .out = {1, 1, 3},
     .kernel = {1, 1, 4},
     .stride = {1, 1, 3},
     .pad_begin = {0, 0, 2},
     .pad_end = {0, 0, 1},
     .counts_padding = true},
};

TEST(Pool, AgreesWithTheDefinition) {
  at_every_level([] {
    for (std::size_t i = 0; i < kPools.size(); ++i) {
      SCOPED_TRACE(i);
      const PoolShape& s = kPools[i];
      std::vector<float> in = some_values(s.planes * s.in[0] * s.in[1] * s.in[2], i);
      std::vector<float> out(s.planes * s.out[0] * s.out[1] * s.out[2]), expected(out);
      average_pool(s, in.data(), out.data());
      ref::average_pool(s, in.data(), expected.data());
      for (std::size_t k = 0; k < out.size(); ++k) EXPECT_NEAR(out[k], expected[k], 1e-6) << k;
      in[in.size() / 2] = kNan;
      max_pool(s, in.data(), out.data());
      ref::max_pool(s, in.data(), expected.data());
      for (std::size_t k = 0; k < out.size(); ++k) {
        EXPECT_TRUE(out[k] == expected[k] || (std::isnan(out[k]) && std::isnan(expected[k])));
      }
    }
  });
}

}  // namespace
}  // namespace godwit::kernels
