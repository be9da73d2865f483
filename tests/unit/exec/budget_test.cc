// Costs of small models that can be counted by hand.
#include "exec/budget.h"

#include <gtest/gtest.h>

#include "model_text.h"

namespace godwit::exec {
namespace {

constexpr std::string_view kModel =
    "input x: float[N,3,8,8]\ninit w: float[4,3,3,3]\ninit b: float[4]\noutput y: float[N,4,6,6]\n"
    "c = Conv(x, w, b)\nr = Relu(c)\ny = Add(r, r)\nq = Odd(y)\n";

TEST(Budget, CountsWeightsOfConstantNodesAndNoNegativeWork) {
  const tests::TextModel source(
      "input x: float[1,1,N]\noutput y: float[1,1,M]\n"
      "w = Constant() {value=[: float[1,1,5] = 1,2,3,4,5]}\ny = Conv(x, w)\n");
  EXPECT_EQ(weights(source.model).parameters, 5u);
  const auto costs = operator_costs(source.model, {{"N", 2}});  // shorter than the window
  EXPECT_EQ(costs.at("Conv").flop, 0);
  EXPECT_EQ(costs.at("Conv").uncounted, 1u);
}

TEST(Budget, CountsWhatAModelComputesAndHolds) {
  const tests::TextModel source(kModel);
  const Weights held = weights(source.model);
  EXPECT_EQ(held.parameters, 4u * 27 + 4);
  EXPECT_EQ(held.bytes, 4 * held.parameters);
  const auto costs = operator_costs(source.model, {{"N", 2}});
  EXPECT_EQ(costs.at("Conv").flop, 2 * (2 * 4 * 36) * 27);
  EXPECT_FALSE(costs.at("Odd").is_known);
  EXPECT_EQ(operator_costs(source.model, {}).at("Conv").uncounted, 1u);
}

TEST(Budget, PlansLiveValues) {
  const tests::TextModel source(kModel);
  const Activations live = plan_activations(source.model, {{"N", 1}});
  EXPECT_EQ(live.values, 5u);
  EXPECT_EQ(live.left_out, 1u);  // what an unknown operator makes
  const std::uint64_t image = 3 * 64 * 4, made = 4 * 36 * 4;
  EXPECT_EQ(live.plan.lower_bound, std::max(image + made, 2 * made));
  EXPECT_GE(live.plan.bytes, live.plan.lower_bound);
}

}  // namespace
}  // namespace godwit::exec
