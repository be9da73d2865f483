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

}  // namespace
}  // namespace godwit::ops
