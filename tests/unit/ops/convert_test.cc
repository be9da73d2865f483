// Functions put in place, and models said in other opsets: what comes out, as text.
#include "ops/convert.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "diag/finding.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "ops/expand.h"
#include "ops/inline.h"

namespace godwit::ops {
namespace {

std::string header(int opset) {
  return format("<ir_version: 8, opset_import: [\"\": {}, \"loc\": 1]>\n", opset);
}

// The body of the main graph after `pass`, or the error.
template <class Pass>
std::string after(const std::string& text, Pass&& pass) {
  Result<ir::Model> model = ir::parse(text, "test");
  if (!model) return diag::render(model.error());
  Status status = pass(*model);
  if (status) status = ir::verify(*model);
  if (!status) return diag::render(status.error());
  for (ir::Value& value : model->values) {
    if (value.producer != ir::kNone) value.type = {};
  }
  const std::string out = ir::print(*model);
  return out.substr(out.find('\n') + 1);
}

std::string inlined(const std::string& text) { return after(text, inline_functions); }

std::string converted(int from, int target, const std::string& text) {
  return after(header(from) + text, [&](ir::Model& model) { return convert(model, target); });
}

TEST(Inline, BodiesTakeValuesAttributesAndNamesOfTheirCall) {
  EXPECT_EQ(inlined(header(18) + R"(g (float[N] x, bool c) => (y, z)
{
  [n] y, z = loc.outer <axis = 0> (x, c)
}
<domain: "loc", opset_import: ["": 18, "loc": 1]>
outer <axis, k: int = -1> (a, c) => (r, a)
{
  s = Softmax <axis: int = @axis> (a)
  t = loc.twice(s)
  r = If(c) <then_branch = th () => (o) { o = Add(t, a) },
             else_branch = el () => (o) { u = loc.twice(t) o = Cast <to: int = @k> (u) }>
}
<domain: "loc", opset_import: ["": 13]>
twice (a) => (b) { b = Add(a, a) })"),
            R"(g (float[N] x, bool c) => (y, z)
{
  ["n/Softmax"] "n/s" = Softmax <axis: int = 0> (x)
  ["n/twice/Add"] "n/t" = Add("n/s", "n/s")
  ["n/If"] y = If(c) <then_branch: graph = th () => ("n/o")
    {
      ["n/Add"] "n/o" = Add("n/t", x)
    }, else_branch: graph = el () => ("n/o_1")
    {
      ["n/twice_1/Add"] "n/u" = Add("n/t", "n/t")
      ["n/Cast"] "n/o_1" = Cast <to: int = -1> ("n/u")
    }>
  ["n/Identity"] z = Identity(x)
}
)");
}

TEST(Inline, NodesKeepTheOpsetOfTheirFunction) {
  Result<ir::Model> model = ir::parse(header(18) + R"(g (float x) => (y) { y = loc.f(x) }
<domain: "loc", opset_import: ["": 13]>
f (a) => (b) { b = Relu(a) })",
                                      "test");
  ASSERT_TRUE(model);
  ASSERT_TRUE(inline_functions(*model));
  EXPECT_EQ(model->nodes[model->main().nodes[0]].opset, 13);
  EXPECT_TRUE(model->functions.empty());
}

TEST(Inline, RecursionAndGrowthAreRefused) {
  const std::string own = R"(g (float x) => (y) { y = loc.f(x) }
<domain: "loc", opset_import: ["": 13, "loc": 1]>
f (a) => (b) { b = loc.f(a) })";
  EXPECT_NE(inlined(header(18) + own).find("E156"), std::string::npos);
  std::string chain = "g (float x) => (y) { y = loc.f0(x) }\n";
  for (int i = 0; i < 40; ++i) {
    chain += format(
        "<domain: \"loc\", opset_import: [\"\": 13, \"loc\": 1]>\nf{} (a) => (c) {{ b = "
        "loc.f{}(a) c = loc.f{}(b) }}\n",
        i, i + 1, i + 1);
  }
  chain +=
      "<domain: \"loc\", opset_import: [\"\": 13, \"loc\": 1]>\nf40 (a) => (b) { b = Relu(a) }";
  EXPECT_NE(inlined(header(18) + chain).find("E157"), std::string::npos);
}

TEST(Convert, AxesGoBetweenInputsAndAttributes) {
  const std::string text = R"(g (float[2,3] x) => (y)
<int64[1] axes = {1}>
{
  y = ReduceSumSquare(x, axes)
}
)";
  const std::string older = converted(18, 13, text);
  EXPECT_NE(older.find("y = ReduceSumSquare <axes: ints = [1]> (x)"), std::string::npos) << older;
  const std::string newer = converted(13, 18, older);
  EXPECT_NE(newer.find("y = ReduceSumSquare(x, \"ReduceSumSquare/constant\")"), std::string::npos)
      << newer;
}

TEST(Convert, WhatIsNotConstantCannotBecomeAnAttribute) {
  const std::string said = converted(18, 13, R"(g (float[2,3] x, int64[1] axes) => (y)
{
  [sum] y = ReduceSumSquare(x, axes)
})");
  EXPECT_NE(said.find("E158"), std::string::npos) << said;
  EXPECT_NE(said.find("\"sum\""), std::string::npos) << said;
}

TEST(Convert, DefaultsThatChangedAreWrittenOut) {
  EXPECT_NE(converted(13, 12, "g (float[2,3] x) => (y) { y = Softmax(x) }").find("axis: int = -1"),
            std::string::npos);
}

TEST(Convert, OperatorsThatTheTargetLacksAreSaidInOthers) {
  const std::string said =
      converted(20, 18, "g (float[2,3] x) => (y) { y = Gelu <approximate = \"tanh\"> (x) }");
  EXPECT_EQ(said.find("Gelu("), std::string::npos) << said;
  EXPECT_NE(said.find("Tanh("), std::string::npos) << said;
  EXPECT_NE(converted(18, 13, "g (float[2,3] x) => (y) { [b] y = BitwiseNot(x) }").find("E158"),
            std::string::npos);
}

TEST(Convert, TypesThatTheTargetDoesNotKnowAreRefused) {
  EXPECT_NE(converted(18, 12, "g (bfloat16[2] x) => (y) { [r] y = Relu(x) }").find("bfloat16"),
            std::string::npos);
}

TEST(Convert, TypesThatAnOperatorDoesNotTakeAreComputedInWiderOnes) {
  EXPECT_EQ(converted(22, 18, "g (bfloat16[N] x) => (y) { [n] y = Elu(x) }"),
            R"(g (bfloat16[N] x) => (y)
{
  ["n/Cast"] "x/wide" = Cast <to: int = 1> (x)
  [n] "y/wide" = Elu("x/wide")
  ["n/Cast_1"] y = Cast <to: int = 16> ("y/wide")
}
)");
  // Whole numbers wrap alike in every width.
  const std::string sum = converted(14, 13, "g (int8[2] a, int8[2] b) => (y) { y = Add(a, b) }");
  EXPECT_NE(sum.find("Cast <to: int = 6> (b)"), std::string::npos) << sum;
  // What only moves values may take any type that holds them.
  const std::string most =
      converted(20, 18, "g (bool[2] a) => (y) { y = ReduceMax <keepdims = 0> (a) }");
  EXPECT_NE(most.find("Cast <to: int = 9> (\"y/wide\")"), std::string::npos) << most;
}

TEST(Convert, TheTypeThatAnAttributeNamesIsWidenedWithIt) {
  const std::string said = converted(20, 18, R"(g (int64[1] n) => (y)
{
  y = ConstantOfShape <value: tensor = bfloat16[1] {16256}> (n)
})");
  EXPECT_NE(said.find("= float[1] {1}"), std::string::npos) << said;
  EXPECT_NE(said.find("Cast <to: int = 16>"), std::string::npos) << said;
}

TEST(Convert, TypesWithoutAWiderOneOfTheSameValuesAreRefused) {
  // The range of int4 is what saturates here.
  const std::string said = converted(
      21, 20, "g (float[2] x, float s, int4 z) => (y) { [q] y = QuantizeLinear(x, s, z) }");
  EXPECT_NE(said.find("E158"), std::string::npos) << said;
  EXPECT_NE(said.find("\"q\", opset 21"), std::string::npos) << said;
  EXPECT_NE(said.find("int4"), std::string::npos) << said;
}

TEST(Convert, TheRemainderOfRealNumbersHasTheSignOfTheDivisor) {
  const std::string text = "g (float[2] a, float[2] b) => (y) { y = Mod(a, b) }";
  EXPECT_NE(converted(28, 18, text).find("fmod: int = 1"), std::string::npos);
  EXPECT_NE(converted(28, 18, text).find("Where("), std::string::npos);
  EXPECT_EQ(converted(28, 18, "g (int8[2] a, int8[2] b) => (y) { y = Mod(a, b) }").find("Where("),
            std::string::npos);
}

TEST(Convert, LossesTrianglesAndProductsAreSaidInOlderOperators) {
  const std::string loss = converted(13, 11, R"(g (float[2,3] x, int64[2] c) => (y, l)
{
  y, l = SoftmaxCrossEntropyLoss <ignore_index = -1> (x, c)
})");
  EXPECT_NE(loss.find("GatherElements"), std::string::npos) << loss;
  const std::string triangle = converted(14, 13, "g (float[N,N] x) => (y) { y = Trilu(x) }");
  EXPECT_NE(triangle.find("Where("), std::string::npos) << triangle;
  const std::string product = converted(26, 18, R"(g (float[2,3] x) => (y)
<int64 axis = {1}>
{
  y = CumProd(x, axis)
})");
  EXPECT_NE(product.find("ReduceProd"), std::string::npos) << product;
}

TEST(Convert, ListsAndNumbersKeepTheirFormBetweenInputsAndAttributes) {
  // One axis without a list, as some exporters write it, is a list as an attribute.
  const std::string older = converted(13, 11, R"(g (float[2,3] x) => (y)
<int64 axes = {1}>
{
  y = Unsqueeze(x, axes)
})");
  EXPECT_NE(older.find("axes: ints = [1]"), std::string::npos) << older;
  const std::string newer =
      converted(17, 20, "g (float[1,4,1] x) => (y) { [d] y = DFT <axis = 1> (x) }");
  EXPECT_NE(newer.find("int64 \"d/constant\" = {1}"), std::string::npos) << newer;
}

TEST(Convert, FormsThatAnOperatorDoesNotTakeAreRefused) {
  const std::string text = R"(g (bool c, float[2] x) => (y)
{
  [if] s = If(c) <then_branch = th () => (o) { o = SequenceConstruct(x) },
                  else_branch = el () => (o) { o = SequenceConstruct(x, x) }>
  n = SequenceLength(s)
  y = Identity(n)
})";
  EXPECT_EQ(converted(14, 13, text).find("E158"), std::string::npos) << converted(14, 13, text);
  EXPECT_NE(converted(14, 11, text).find("\"if\""), std::string::npos) << converted(14, 11, text);
}

TEST(Convert, ReductionsThatReduceNothingAreSaidElementByElement) {
  const std::string text =
      "g (float[2,3] x) => (y) { y = ReduceL1 <noop_with_empty_axes = 1> (x) }";
  EXPECT_NE(converted(18, 13, text).find("y = Abs(x)"), std::string::npos)
      << converted(18, 13, text);
}

TEST(Convert, AMaskThatNobodyReadsIsLeftOut) {
  const std::string said = converted(9, 18, "g (float[2,3] x) => (y) { [d] y, mask = Dropout(x) }");
  EXPECT_NE(said.find("[d] y = Dropout(x, \"d/constant\")"), std::string::npos) << said;
}

TEST(Convert, AMaskThatIsReadIsWrittenOut) {
  const std::string text = "g (float[2,3] x) => (y, mask) { y, mask = Dropout(x) }";
  for (const auto& [from, to, type] :
       {std::tuple(13, 11, "bool"), {13, 9, "bool"}, {9, 18, "float"}}) {
    const std::string said = converted(from, to, text);
    const std::string mask = format("mask = ConstantOfShape <value: tensor = {}[1] {{1}}>", type);
    EXPECT_NE(said.find(mask), std::string::npos) << said;
    EXPECT_EQ(said.find("Dropout("), std::string::npos) << said;
  }
  const std::string trains =
      "g (float[2,3] x, float r, bool t) => (y, mask) { y, mask = Dropout(x, r, t) }";
  EXPECT_NE(converted(13, 11, trains).find("E158"), std::string::npos);
}

TEST(Convert, EinsumIsSaidInProductsOfMatrices) {
  const auto said = [](const char* equation) {
    return converted(
        12, 11,
        std::string("g (float[2,3,4] x, float[2,4,5] y) => (z) { z = Einsum <equation = "
                    "\"") +
            equation + "\"> (x, y) }");
  };
  EXPECT_NE(said("bij,bjk->bik").find("z = MatMul(x, y)"), std::string::npos)
      << said("bij,bjk->bik");
  EXPECT_NE(said("bij,bjk->ki").find("MatMul"), std::string::npos) << said("bij,bjk->ki");
  EXPECT_EQ(said("bij,bjk->ki").find("Einsum("), std::string::npos) << said("bij,bjk->ki");
}

TEST(Convert, GridSampleIsSaidInGathers) {
  const std::string said =
      converted(16, 11, "g (float[1,2,3,4] x, float[1,5,6,2] p) => (y) { y = GridSample(x, p) }");
  EXPECT_NE(said.find("Gather"), std::string::npos) << said;
  EXPECT_EQ(said.find("E158"), std::string::npos) << said;
}

TEST(Convert, NamedAxesOfResizeBecomeAll) {
  const auto said = [](const char* attributes) {
    return converted(
        19, 13,
        std::string("g (float[1,3,4,8] x) => (y) <int64[2] s = {16, 8}> { y = Resize <mode = "
                    "\"linear\", axes = [3, 2]") +
            attributes + "> (x, , , s) }");
  };
  EXPECT_NE(said("").find("= {1, 3, 8, 16}"), std::string::npos) << said("");
  EXPECT_NE(said(", antialias = 1").find("= {1, 3, 8, 16}"), std::string::npos);
  const std::string kept = said(", keep_aspect_ratio_policy = \"not_larger\"");
  EXPECT_NE(kept.find("= {1, 1, 2, 2}"), std::string::npos) << kept;
  const std::string shrinks =
      converted(18, 13,
                "g (float[1,3,4,8] x) => (y) <float[4] s = {1, 1, 0.5, 0.5}> { y = Resize <mode = "
                "\"linear\", antialias = 1> (x, , s) }");
  EXPECT_NE(shrinks.find("antialias"), std::string::npos) << shrinks;
}

TEST(Convert, WeightsOfFourBitsBecomeBytes) {
  const std::string said =
      converted(21, 18,
                "g (float[2,2] x) => (y) <int4[2,2] w = {-8, 7, 0, 1}, float s = {0.5}> { d = "
                "DequantizeLinear(w, s) y = MatMul(x, d) }");
  EXPECT_NE(said.find("int8[2,2]"), std::string::npos) << said;
  EXPECT_EQ(said.find("int4"), std::string::npos) << said;
}

TEST(Convert, AnAttributeThatSaysNothingHereIsLeftOut) {
  const auto reshape = [](const char* size) {
    return std::string("g (float[0,3] x) => (y) <int64[1] s = {") + size +
           "}> { y = Reshape <allowzero = 1> (x, s) }";
  };
  EXPECT_NE(converted(14, 13, reshape("-1")).find("y = Reshape(x, s)"), std::string::npos);
  EXPECT_NE(converted(14, 13, reshape("0")).find("allowzero"), std::string::npos);
  const std::string text = "g (float[2,3] x) => (y) { y = Dropout <seed = 7> (x) }";
  EXPECT_NE(converted(12, 11, text).find("y = Dropout(x)"), std::string::npos);
}

TEST(Convert, RecurrencesOfAKnownLengthAreUnrolled) {
  const auto attention = [](const char* length) {
    return std::string("g (float[1,") + length + ",4] q, float[1," + length + ",4] k, float[1," +
           length + R"(,4] v) => (y, s)
{
  [a] y, s = LinearAttention <q_num_heads = 2, kv_num_heads = 2, update_rule = "linear"> (q, k, v)
})";
  };
  const std::string two = converted(27, 18, attention("2"));
  EXPECT_NE(two.find("y = Concat <axis: int = 1>"), std::string::npos) << two;
  const std::string any = converted(27, 18, attention("N"));
  EXPECT_NE(any.find("E158"), std::string::npos) << any;
  EXPECT_NE(any.find("\"a\", opset 27"), std::string::npos) << any;
}

TEST(Convert, ScalesOfAxesAndBlocksAreWrittenOut) {
  const std::string axis = converted(13, 11, R"(g (uint8[2,3] x, float[2] s) => (y)
{
  y = DequantizeLinear <axis = 0> (x, s)
})");
  EXPECT_NE(axis.find("Mul("), std::string::npos) << axis;
  const std::string block = converted(21, 18, R"(g (float[2,4] x, float[2,2] s) => (y)
{
  y = QuantizeLinear <axis = 1, block_size = 2> (x, s)
})");
  EXPECT_NE(block.find("{0, 0, 1, 1}"), std::string::npos) << block;
  EXPECT_NE(block.find("Round("), std::string::npos) << block;
}

TEST(Convert, StatisticsOfEachElementAreWrittenOut) {
  const std::string text =
      R"(g (float[N,2,3] x, float[2,3] s, float[2,3] b, float[2,3] m, float[2,3] v) => (y)
{
  y = BatchNormalization <spatial = 0> (x, s, b, m, v)
})";
  const std::string said = converted(8, 18, text);
  EXPECT_NE(said.find("Sqrt("), std::string::npos) << said;
  EXPECT_EQ(said.find("BatchNormalization("), std::string::npos) << said;
}

}  // namespace
}  // namespace godwit::ops
