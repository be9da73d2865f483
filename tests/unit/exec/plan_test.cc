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

TEST(ExecPlan, ReductionsOfRowsColumnsAndTheMiddle) {
  expect_as_reference(std::string(kHead) + R"(
g (float[3,4,5] x) => (float[3,4] a, float[1,1,5] b, float[3,1,5] c, float[] d, float[3,1,5] e)
<int64[1] axes = {1}>
{
  a = ReduceMean <axes = [2], keepdims = 0> (x)
  b = ReduceMax <axes = [0,-2]> (x)
  c = ReduceSum (x, axes)
  d = ReduceSumSquare <keepdims = 0> (x)
  e = ReduceMin <axes = [1]> (x)
})",
                      5);
}

TEST(ExecPlan, PartsOfATensorLieInMemoryOfTheirOwn) {
  expect_as_reference(std::string(kHead) + R"(
g (float[2,6,3] x) => (float[2,2,3] y, float[2,1,3] b, float[2,3,3] z)
<int64[3] sizes = {2, 1, 3}>
{
  a, b, c = Split <axis = 1> (x, sizes)
  d, e = Split <axis = 1> (x)
  f = Mul (d, e)
  g1, g2, g3 = Split <axis = 1> (c)
  h = Add (a, g2)
  y = Sub (h, b)
  z = Relu (f)
})",
                      5);
}

TEST(ExecPlan, LinearResizing) {
  for (const char* const mode :
       {"half_pixel", "align_corners", "asymmetric", "pytorch_half_pixel"}) {
    expect_as_reference(std::string(kHead) + R"(
g (float[2,3,5,7] x) => (float[2,3,10,14] a, float[2,3,4,3] b)
<float[4] scales = {1, 1, 2, 2}, int64[4] sizes = {2, 3, 4, 3}>
{
  a = Resize <mode = "linear", coordinate_transformation_mode = ")" +
                            mode + R"("> (x, , scales)
  b = Resize <mode = "linear", coordinate_transformation_mode = ")" +
                            mode + R"("> (x, , , sizes)
})",
                        2);
  }
}

TEST(ExecPlan, TransposedConvolutions) {
  expect_as_reference(std::string(kHead) + R"(
g (float[2,4,5,6] x, float[1,2,7] s) => (float[2,3,10,12] a, float[2,4,7,13] b, float[1,3,9] c)
<float[4,3,2,2] v = )" + small_numbers(48) +
                          ", float[3] bias = " + small_numbers(3) + ", float[4,2,3,3] w = " +
                          small_numbers(72) + ", float[2,3,3] u = " + small_numbers(18) + R"(>
{
  a = ConvTranspose <strides = [2,2]> (x, v, bias)
  b = ConvTranspose <group = 2, strides = [1,2], dilations = [2,1], pads = [1,0,1,0]> (x, w)
  c = ConvTranspose (s, u)
})",
                      3);
}

TEST(ExecPlan, BranchesOfAKnownConditionAreNodesLikeOthers) {
  expect_as_reference(std::string(kHead) + R"(
g (float[2,3] x) => (float[2,3] y, float[2,3] z)
<int64 two = {2}, int64 zero = {0}>
{
  shape = Shape (x)
  rows = Gather (shape, zero)
  is = Equal (rows, two)
  y = If (is) <then_branch = th () => (o) { t = Relu (x) u = If (is) <then_branch = th2 () => (p) { p = Exp (t) },
                                                                   else_branch = el2 () => (p) { p = Neg (t) }>
                                            o = Mul (u, x) },
               else_branch = el () => (o) { o = Identity (x) }>
  not = Not (is)
  z = If (not) <then_branch = th3 () => (q) { q = Exp (x) }, else_branch = el3 () => (q) { q = Identity (x) }>
})",
                      3);
}

TEST(ExecPlan, PlacesOfAGatherMayComeInEachRun) {
  auto model = ir::parse(R"(<ir_version: 8, opset_import: ["" : 17]>
g (float[2,4,3] x, int64[2,2] i, int32[1] j) => (float[2,2,2,3] y, float[2,4,1] z)
{
  y = Gather <axis = 1> (x, i)
  z = Gather <axis = 2> (x, j)
})",
                         "model.txt");
  ASSERT_TRUE(model);
  auto plan = Plan::make(*model);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->lowered_steps(), 2u);
  const auto inputs = [](std::int64_t last) {
    return std::vector<Datum>{random({2, 4, 3}, 1),
                              Datum(Tensor::of<std::int64_t>({2, 2}, {0, -1, 3, last})),
                              Datum(Tensor::of<std::int32_t>({1}, {-3}))};
  };
  const auto expected = run(*model, inputs(2)), found = plan->run(inputs(2));
  ASSERT_TRUE(expected && found);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto a = (*found)[i].tensor.values<float>(), b = (*expected)[i].tensor.values<float>();
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
  }
  const auto refused = plan->run(inputs(4));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, "E151");
}

// What the plan makes of a model in a 16-bit format is what the reference makes, but for the order
// of sums: a last place.
void expect_as_reference_in(const std::string& type, ir::ElementType element, double last_place) {
  std::string text = R"(<ir_version: 8, opset_import: ["" : 17]>
g (T[1,4,6,6] x, bool c) => (T[1,4,6,6] y, float[1,4,6,6] z, T[1,4,6,6] w)
<float[4,4,3,3] weights = W, float[4] bias = B, float[6,6] matrix = M>
{
  w16 = Cast <to = N> (weights)
  b16 = Cast <to = N> (bias)
  m16 = Cast <to = N> (matrix)
  a = Conv <pads = [1,1,1,1]> (x, w16, b16)
  b = Relu (a)
  d = MatMul (b, m16)
  e = Add (d, x)
  f = Erf (e)
  t = Transpose <perm = [0,1,3,2]> (f)
  s = Softmax <axis = -1> (t)
  h = HardSwish (s)
  p = CumSum <exclusive = 0> (h, axis)
  y = If (c) <then_branch = th () => (o) { o = Mul (p, e) }, else_branch = el () => (o) { o = Neg (e) }>
  z = Cast <to = 1> (p)
  w = Mul (p, h)
})";
  const auto put = [&text](const std::string& mark, const std::string& value) {
    for (auto at = text.find(mark); at != std::string::npos;
         at = text.find(mark, at + value.size()))
      text.replace(at, mark.size(), value);
  };
  put("= W,", "= " + small_numbers(144) + ",");
  put("= B,", "= " + small_numbers(4) + ",");
  put("= M>", "= " + small_numbers(36) + ", int64 axis = {3}>");
  put("T[", type + "[");
  put("to = N", "to = " + std::to_string(static_cast<int>(element)));
  auto model = ir::parse(text, "model.txt");
  ASSERT_TRUE(model) << model.error().code;
  const auto narrow = ir::convert(random({1, 4, 6, 6}, 1).tensor, element);
  ASSERT_TRUE(narrow);
  auto truth = Tensor::make(ir::ElementType::kBool, {});
  ASSERT_TRUE(truth);
  truth->mutable_values<bool>()[0] = true;
  const std::vector<Datum> inputs = {Datum(*narrow), Datum(*truth)};
  std::vector<std::string> names;
  for (const ir::Value& value : model->values) names.push_back(value.name);
  const auto expected = run(*model, inputs);
  ASSERT_TRUE(expected) << expected.error().code;
  for (const bool fuses : {true, false}) {
    auto plan = Plan::make(*model, {.fuses = fuses});
    ASSERT_TRUE(plan) << plan.error().code;
    EXPECT_GE(plan->lowered_steps(), 7u);
    const Tap tap = [&](ir::ValueId value, const Datum& made) -> Status {
      const bool is_wide = value < names.size() && names[value] == "z";
      if (ir::is_floating(made.tensor.type())) {
        EXPECT_EQ(made.tensor.type(), is_wide ? ir::ElementType::kFloat : element) << value;
      }
      return {};
    };
    const auto found = plan->run(inputs, tap);
    ASSERT_TRUE(found) << found.error().code;
    for (std::size_t i = 0; i < expected->size(); ++i) {
      ASSERT_EQ((*found)[i].tensor.type(), (*expected)[i].tensor.type());
      const auto a = *to_doubles((*found)[i].tensor), b = *to_doubles((*expected)[i].tensor);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t j = 0; j < a.size(); ++j)
        EXPECT_NEAR(a[j], b[j], 2 * last_place * (0.05 + std::fabs(b[j]))) << i << " at " << j;
    }
  }
}

TEST(ExecPlan, SixteenBitModelsRunOnTheSameKernels) {
  expect_as_reference_in("float16", ir::ElementType::kFloat16, 0x1p-10);
  expect_as_reference_in("bfloat16", ir::ElementType::kBfloat16, 0x1p-7);
}

}  // namespace
}  // namespace godwit::exec
