// The fast plan gives what the reference gives: fused tails, aliases, values that leave the plan.
#include "exec/plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "ir/parse.h"

namespace godwit::exec {
namespace {

using ir::Datum;
using ir::Tensor;

Datum random(const ir::Sizes& dims, unsigned seed) {
  std::mt19937 bits(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<std::size_t>(*ir::count(dims)));
  for (float& value : values) value = normal(bits);
  return Datum(Tensor::of(dims, std::move(values)));
}

// Inputs are drawn by the sizes of the model's inputs.
void expect_as_reference(const std::string& text, std::size_t lowered_at_least) {
  auto model = ir::parse(text, "model.txt");
  ASSERT_TRUE(model) << model.error().code;
  std::vector<Datum> inputs;
  for (const ir::ValueId value : model->main().inputs) {
    inputs.push_back(
        random(*static_sizes(model->values[value].type), static_cast<unsigned>(inputs.size())));
  }
  const auto expected = run(*model, inputs);
  ASSERT_TRUE(expected) << expected.error().code;
  for (const bool fuses : {true, false}) {
    auto plan = Plan::make(*model, {.fuses = fuses});
    ASSERT_TRUE(plan) << plan.error().code;
    EXPECT_GE(plan->lowered_steps(), lowered_at_least);
    const auto found = plan->run(inputs);
    ASSERT_TRUE(found) << found.error().code;
    for (std::size_t i = 0; i < expected->size(); ++i) {
      const auto a = (*found)[i].tensor.values<float>();
      const auto b = (*expected)[i].tensor.values<float>();
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t j = 0; j < a.size(); ++j)
        EXPECT_NEAR(a[j], b[j], 1e-4 * (1 + std::fabs(b[j]))) << "output " << i << " at " << j;
    }
  }
}

// Numbers around zero, or around `middle`, as text.
std::string small_numbers(std::size_t count, int middle = 0) {
  std::string out = "{";
  for (std::size_t i = 0; i < count; ++i) {
    out += (i ? ", " : "") + std::to_string(middle + 0.01 * static_cast<double>(i * 7 % 13) - 0.06);
  }
  return out + "}";
}

constexpr const char* kHead = R"(<ir_version: 8, opset_import: ["" : 17]>
)";

// Both convolutions could take the sum along; only one may.
TEST(ExecPlan, TwoConvolutionsMeetInOneSum) {
  expect_as_reference(std::string(kHead) + R"(
g (float[1,2,8,8] x) => (float[1,2,8,8] y)
<float[2,2,1,1] v = {0.5, -1.0, 2.0, 0.25}, float[2,2,1,1] w = {1.5, 1.0, -2.0, 0.75}>
{
  a = Conv (x, v)
  b = Conv (x, w)
  c = Add (a, b)
  y = Relu (c)
})",
                      2);
}

TEST(ExecPlan, ReshapedValuesLeaveThePlan) {
  expect_as_reference(std::string(kHead) + R"(
g (float[4,6] x, float[6,6] w) => (float[24] y, float[4,6] z, float[4,6] t)
<int64[1] flat = {24}>
{
  a = MatMul (x, w)
  y = Reshape (a, flat)
  b = Relu (a)
  z = Identity (b)
  t = Softmax (b)
})",
                      3);
}

TEST(ExecPlan, RowsColumnsAndScalarsAreRepeated) {
  expect_as_reference(std::string(kHead) + R"(
g (float[2,3,4] x, float[4] row, float[3,1] column, float[1] one, float[2,1,4] both) =>
  (float[2,3,4] a, float[2,3,4] b, float[2,3,4] c, float[2,3,4] d)
{
  a = Add (x, row)
  b = Mul (column, x)
  c = Sub (one, x)
  d = Div (x, both)
})",
                      2);
}

TEST(ExecPlan, AxesArePermuted) {
  expect_as_reference(std::string(kHead) + R"(
g (float[2,3,4,5] x) => (float[2,4,3,5] a, float[5,4,3,2] b, float[4,5,2,3] c, float[2,3,5,4] d)
{
  a = Transpose <perm = [0,2,1,3]> (x)
  b = Transpose (x)
  c = Transpose <perm = [2,3,0,1]> (x)
  d = Transpose <perm = [0,1,3,2]> (x)
})",
                      4);
}

// 20 channels fill blocks neither of 8 nor of 16; those that fill them up must stay zero. Where
// oneDNN takes channels last, DNNL_MAX_CPU_ISA=AVX2 brings the blocks.
TEST(ExecPlan, BlocksStayFilledUpWithZeros) {
  for (const std::string op : {"Reciprocal", "Sigmoid", "Exp", "HardSigmoid", "Tanh"}) {
    SCOPED_TRACE(op);
    expect_as_reference(std::string(kHead) + R"(
g (float[1,8,16,16] x) => (float[1,20,12,12] y)
<float[20,8,3,3] v = )" + small_numbers(20 * 8 * 9) +
                            R"(,
 float[20] shift = )" + small_numbers(20, 2) +
                            R"(,
 float[20,20,3,3] w = )" + small_numbers(20 * 20 * 9) +
                            R"(>
{
  a = Conv (x, v, shift)
  b = )" + op + R"( (a)
  c = Conv (b, w)
  y = Abs (c)
})",
                        3);
  }
}

TEST(ExecPlan, WhatOnlyMovesIsMovedInRuns) {
  expect_as_reference(std::string(kHead) + R"(
g (float[2,3,4,5] x, float[2,1,4,5] z) =>
  (float[2,4,4,5] a, float[2,3,2,2] b, float[2,3,8,10] c, float[2,3,4,10] d, float[2,2,4,5] e,
   float[6,2,3,4,5] f)
<int64[2] starts = {3, 0}, int64[2] ends = {-10, 9}, int64[2] axes = {2, 3}, int64[2] steps = {-2, 3},
 float[4] scales = {1, 1, 2, 2}, int64[4] repeats = {1, 1, 1, 2}, int64[2] picks = {2, -3},
 int64[5] wide = {6, 1, 3, 1, 5}>
{
  a = Concat <axis = 1> (x, z)
  b = Slice (x, starts, ends, axes, steps)
  c = Resize <mode = "nearest"> (x, , scales)
  d = Tile (x, repeats)
  e = Gather <axis = 1> (x, picks)
  f = Expand (x, wide)
})",
                      6);
}

// Whoever runs the model may give another value than the default.
TEST(ExecPlan, DefaultsOfInputsAreNoConstants) {
  expect_as_reference(std::string(kHead) + R"(
g (float[2,3] x, float[3,3] w, float[3] shift, float low) => (float[2,3] y, float[2,3] z)
<float[3,3] w = {1, 2, 3, 4, 5, 6, 7, 8, 9}, float[3] shift = {1, 2, 3}, float low = {0.5}>
{
  a = MatMul (x, w)
  y = Add (a, shift)
  b = MatMul (x, w)
  z = Clip (b, low)
})",
                      2);
}

// Before opset 7 the second operand is repeated along the axes that attributes say.
TEST(ExecPlan, OldSumsWithAxesAreNotFused) {
  expect_as_reference(R"(<ir_version: 3, opset_import: ["" : 6]>
g (float[1,2,2,2] x) => (float[1,2,2,2] y)
<float[2,2,1,1] w = {1.5, 1.0, -2.0, 0.75}, float[2] shift = {5, 7}>
{
  a = Conv (x, w)
  y = Add <axis = 2, broadcast = 1> (a, shift)
})",
                      1);
}

TEST(ExecPlan, TrainingNormalizationIsNotFolded) {
  expect_as_reference(R"(<ir_version: 3, opset_import: ["" : 13]>
g (float[2,2,2,2] x) => (float[2,2,2,2] y)
<float[2,2,1,1] w = {1.5, 1.0, -2.0, 0.75}, float[2] one = {1, 2}, float[2] zero = {0, 3}>
{
  a = Conv (x, w)
  y, mean, var, saved, kept = BatchNormalization (a, one, zero, zero, one)
})",
                      1);
}

// A plan looks at inputs and outputs by their places.
TEST(ExecPlan, NodesWithoutTheirInputsOrOutputsAreRefused) {
  for (const std::string call :
       {"Add (x)", "Relu ()", "Conv (x)", "Shape ()", "Reshape (x)", "Identity ()", "MatMul (, x)",
        "BatchNormalization (x, x, x)", "Clip ()", "Relu (x, x)"}) {
    const auto model = ir::parse(
        std::string(kHead) + "g (float[1,2,4,4] x) => (y) { y = " + call + " }", "model.txt");
    ASSERT_TRUE(model) << call;
    const auto plan = Plan::make(*model);
    ASSERT_FALSE(plan) << call;
    EXPECT_EQ(plan.error().code, "E151") << call;
  }
  auto model =
      ir::parse(std::string(kHead) + "g (float[2] x) => (x) { y = Relu (x) }", "model.txt");
  ASSERT_TRUE(model);
  model->nodes[0].outputs[0] = ir::kNone;
  EXPECT_TRUE(Plan::make(*model));
  model->nodes[0].outputs.clear();
  EXPECT_FALSE(Plan::make(*model));
}

TEST(ExecPlan, NotedShapesAreNotBelieved) {
  const auto model = ir::parse(std::string(kHead) + R"(
g (float[2,n] x) => (float[2,900] y)
<float[2,900] a>
{
  a = Exp (x)
  y = Relu (a)
})",
                               "model.txt");
  ASSERT_TRUE(model);
  auto plan = Plan::make(*model);
  ASSERT_TRUE(plan);
  const auto found = plan->run({random({2, 3}, 1)});
  ASSERT_TRUE(found) << found.error().code;
  EXPECT_EQ((*found)[0].tensor.dims(), (ir::Sizes{2, 3}));
}

TEST(ExecPlan, ATensorIsNoSequence) {
  const auto model = ir::parse(
      std::string(kHead) + "g (seq(float[2]) x) => (y) { y = SequenceLength (x) }", "model.txt");
  ASSERT_TRUE(model);
  const auto found = run(*model, {random({2}, 1)});
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, "E155");
}

// A loop draws anew each time, in a plan as well.
TEST(ExecPlan, SubgraphsOfARunShareTheirHost) {
  expect_as_reference(std::string(kHead) + R"(
g (float[2] x) => (float[2] y, float[3,2] all)
<int64 three = {3}>
{
  y, all = Loop <body = step (int64 i, bool goes, float[2] now) => (bool on, float[2] next,
                                                                    float[2] drawn) {
    on = Identity (goes)
    drawn = RandomUniform <shape = [2]> ()
    a = Add (now, drawn)
    next = Mul (a, x)
  }> (three, , x)
})",
                      0);
}

}  // namespace
}  // namespace godwit::exec
