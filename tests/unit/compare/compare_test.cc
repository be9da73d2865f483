// Small pairs of tensors with known distances, verdicts and causes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compare/cause.h"
#include "compare/gate.h"
#include "compare/layer.h"
#include "compare/metric.h"
#include "diag/messages.h"

namespace godwit::compare {
namespace {

using ir::ElementType;
using Values = std::vector<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double figure(std::string_view metric, const Values& reference, const Values& found,
              ElementType stored = ElementType::kFloat16) {
  return measure(metric, {reference, found, stored});
}

Layer judged(const Values& reference, const Values& found, Layer layer = {}) {
  judge({reference, found, ElementType::kFloat16}, layer);
  return layer;
}

TEST(Compare, MetricsOfAKnownPair) {
  const Values a = {3, 4}, b = {3, 3};
  EXPECT_NEAR(figure("cosine", a, b), 21 / (5 * std::sqrt(18)), 1e-12);
  EXPECT_EQ(figure("max_abs", a, b), 1);
  EXPECT_EQ(figure("mean_abs", a, b), 0.5);
  EXPECT_NEAR(figure("rmse", a, b), std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(figure("relative_rmse", a, b), 0.2, 1e-12);
  EXPECT_EQ(figure("max_relative", a, b), 0.25);
  EXPECT_EQ(figure("ulp", a, b), 256);  // 4 has an ULP of 2^-8
  EXPECT_EQ(figure("non_finite", a, b), 0);
}

TEST(Compare, KnowsTheSpacingOfEveryFloatingType) {
  EXPECT_EQ(ulp(ElementType::kFloat16, 1), 0x1p-10);
  EXPECT_EQ(ulp(ElementType::kFloat16, 0), 0x1p-24);
  EXPECT_EQ(ulp(ElementType::kFloat8E4M3FN, 1), 0.125);
  EXPECT_EQ(ulp(ElementType::kFloat8E5M2, 0), 0x1p-16);
  EXPECT_EQ(ulp(ElementType::kInt32, 1), 0);
  EXPECT_EQ(largest(ElementType::kFloat16), 65504);
  EXPECT_EQ(largest(ElementType::kBfloat16), 0x1.fep127);
  EXPECT_EQ(largest(ElementType::kFloat8E4M3FN), 448);
  EXPECT_EQ(largest(ElementType::kFloat8E5M2), 57344);
  EXPECT_EQ(unit_roundoff(ElementType::kFloat8E4M3FN), 0x1p-4);
}

TEST(Compare, MetricsOfNothingAndOfZeros) {
  for (const Metric* const metric : kMetrics) {
    EXPECT_TRUE(std::isfinite(metric->measure({{}, {}, ElementType::kFloat16}))) << metric->name;
    const Values zeros = {0, 0}, ones = {1, 1};
    EXPECT_TRUE(std::isfinite(metric->measure({zeros, ones, ElementType::kFloat16})))
        << metric->name;
    EXPECT_TRUE(diag::has_text(std::string("compare.") + std::string(metric->name)));
  }
  EXPECT_EQ(figure("cosine", {0, 0}, {0, 0}), 1);
  EXPECT_EQ(figure("cosine", {0, 0}, {1, 0}), 0);
}

TEST(Compare, NonFiniteElementsCountByThemselves) {
  const Values a = {1, kNaN, kInfinity, -kInfinity, 2}, b = {1, kNaN, kInfinity, kInfinity, kNaN};
  EXPECT_EQ(figure("non_finite", a, b), 2);
  EXPECT_EQ(figure("max_abs", a, b), 0);
  EXPECT_EQ(figure("saturated", {kInfinity, 70000, kNaN, 65500, 65504}, Values(5, 65504)), 3);
}

TEST(Compare, UlpHistogramHasEveryElement) {
  Layer layer = judged({1, 1, 1, 1}, {1, 1 + 0x1p-11, 1 + 0x1p-10, 2});
  EXPECT_EQ(layer.ulps[0], 1u);
  EXPECT_EQ(layer.ulps[1], 1u);
  EXPECT_EQ(layer.ulps[2], 1u);
  std::uint64_t sum = 0;
  for (const std::uint64_t count : layer.ulps) sum += count;
  EXPECT_EQ(sum, 4u);
}

// Why there are two gates: the requested pair rejects perfect roundings and passes wrong scales.
TEST(Compare, GatesDifferWhereTheRequestedOneIsBlind) {
  Values large, rounded, small, scaled;
  for (int i = 0; i < 1000; ++i) {
    large.push_back(30 * std::sin(i));
    const double unit = ulp(ElementType::kFloat16, large.back());
    rounded.push_back(std::nearbyint(large.back() / unit) * unit);
    small.push_back(1e-4 * std::sin(i));
    scaled.push_back(1.9e-4 * std::sin(i));
  }
  const Layer fine = judged(large, rounded), wrong = judged(small, scaled);
  EXPECT_FALSE(fine.passes("requested"));
  EXPECT_TRUE(fine.passes("budget"));
  EXPECT_EQ(fine.cause, "C009");
  EXPECT_TRUE(wrong.passes("requested"));
  EXPECT_FALSE(wrong.passes("budget"));
}

TEST(Compare, SaturationFailsTheBudgetWhateverTheCosine) {
  Values reference(256, 60000), found(256, 60000);
  reference[0] = 90000;
  found[0] = 65504;
  const Layer layer = judged(reference, found);
  EXPECT_FALSE(layer.passes("budget"));
  EXPECT_EQ(layer.cause, "C001");
}

TEST(Compare, CausesByTheirSigns) {
  const Values one = {1, 2, 3, 4};
  EXPECT_EQ(judged(one, {1, 2, 3, 5}, {.overflows = 1}).cause, "C001");
  EXPECT_EQ(
      judged({0.1, 0.2, 0.7}, {0.333, 0.333, 0.333}, {.numerics = ops::Numerics::kSoftmax}).cause,
      "C002");
  EXPECT_EQ(
      judged(one, {1.01, 1.99, 3.02, 3.98}, {.numerics = ops::Numerics::kMatrix, .summed = 4096})
          .cause,
      "C003");
  EXPECT_EQ(judged({4097, 1}, {4096, 1}).cause, "C004");
  EXPECT_EQ(judged({1e-9, 2e-9, 1e-9, 1e-9}, {0, 0, 0, 0}).cause, "C005");
  EXPECT_EQ(judged(one, {1.1, 2, 3, 4}, {.input_error = 1e-4}).cause, "C007");
  EXPECT_EQ(judged({kNaN, 1}, {0, 1}).cause, "C008");
  EXPECT_EQ(judged(one, one).cause, "");
}

TEST(Compare, EveryCauseAndGateHasTexts) {
  for (const Cause* const cause : kCauses) {
    for (const char* const part : {"title", "message", "remedy", "explain"})
      EXPECT_TRUE(diag::has_text(std::string(cause->code) + "." + part)) << cause->code;
  }
  for (const Gate* const gate : kGates) {
    EXPECT_TRUE(diag::has_text(std::string(gate->code) + ".title")) << gate->name;
    EXPECT_TRUE(diag::has_text("compare.gate_" + std::string(gate->name))) << gate->name;
  }
}

}  // namespace
}  // namespace godwit::compare
