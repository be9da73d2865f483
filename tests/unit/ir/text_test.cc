// The text form: what is printed is read back the same, and faults are told with their place.
#include <gtest/gtest.h>

#include "diag/finding.h"
#include "ir/parse.h"
#include "ir/print.h"

namespace godwit::ir {
namespace {

std::string again(const std::string& text) {
  const Result<Model> model = parse(text, "test");
  return model ? print(*model) : diag::render(model.error());
}

constexpr const char* kHeader = "<ir_version: 8, opset_import: [\"\": 18, \"loc\": 1]>\n";

TEST(IrText, PrintsWhatItReads) {
  const std::string text =
      std::string(kHeader) +
      R"T(g (float[N,3] x, bool c, float[2] "float" = {1, 2.5}) => (float[N,3] y, seq(float[?]) s)
<float[2] w = {-inf, nan},
 float16[1] h = {15360},
 string[2] names = {"a", "b\"q\\"},
 int4[3] q = {-8, 0, 7},
 complex64 z = {1, 2},
 uint64 u = {18446744073709551615},
 float["2*N + 1","batch-size","floor(H/32)"] t>
{
  [first] t = Relu(x)
  "a b/c:0", "" = loc.Op:v2 <a: int = -1, b: float = 0.001, c: string = "", d: ints = [], e: floats = [1, 2], f: strings = ["x"], g: type_proto = seq(float[N]), h: tensor = double {1}, i: tensors = [int64[0] {}, bool {1}]> (x, "", "float")
  y = Relu(t)
  s = loc.Op()
}
)T";
  EXPECT_EQ(again(text), text);
}

TEST(IrText, GraphsSeeWhatIsAroundThemAndFunctionsDoNot) {
  const std::string text = std::string(kHeader) + R"(g (float[N] x, bool c) => (float[N] y)
{
  t = loc.twice <k: int = 3> (x)
  y = If(c) <then_branch: graph = th () => (float[N] o)
    {
      o = Add(t, x)
    }, else_branch: graph = el () => (float[N] o)
    <float[1] one = {1}>
    {
      o = Add(t, one)
    }>
}

<domain: "loc", opset_import: ["": 13]>
twice <axis, k: int = 1> (a) => (b)
<float[N] b>
{
  b = Softmax <axis = @k> (a)
}
)";
  EXPECT_EQ(again(text), text);
  EXPECT_NE(
      again(std::string(kHeader) + "g () => () {}\n<domain: \"loc\">\nf () => (b) { b = Relu(x) }")
          .find("E167"),
      std::string::npos);
}

struct Fault {
  const char* text;
  const char* code;
  const char* place;
};

TEST(IrText, FaultsHavePlaces) {
  const Fault kFaults[] = {
      {"g (float x) => (float y) { y = Relu(z) }", "E167", "2:38"},
      {"g (float x) => (float y) { x = Relu(x) }", "E168", "2:40"},
      {"g (float x) => (float y) { y = Relu(x) ", "E166", "2:40"},
      {"g (float x) => (float y) { y = Relu<a=>(x) }", "E166", "2:38"},
      {"g (float x) => (float y)\n<float[2] w = {1}> { }", "E169", "3:17"},
      {"g (float x) => (float y) <float[1000000000000,1000000000] w = {1}> { }", "E169", ""},
      {"g (float x) => (float y) <int8 w = {200}> { }", "E166", ""},
      {"g (float x) => (float y) <bool w = {2}> { }", "E166", ""},
      {"g (float x) => (float[-1] y) { y = Relu(x) }", "E166", ""},
      {"g (float x) => (float y) { y = Relu<a=\"x>(x) }", "E166", ""},
      {"g (seq(float x) => (float y) { }", "E166", ""},
      {"", "E166", ""},
  };
  for (const Fault& fault : kFaults) {
    const std::string said = again(std::string(kHeader) + fault.text);
    EXPECT_NE(said.find(fault.code), std::string::npos) << fault.text << "\n" << said;
    EXPECT_NE(said.find(fault.place), std::string::npos) << fault.text << "\n" << said;
  }
}

TEST(IrText, DimsAreReadAsExpressionsOnlyWhenTheyAreWrittenSo) {
  const Dim n = Dim::symbol("N"), h = Dim::symbol("H");
  for (const Dim dim : {n * 2 + 1, floor_div(h + 31, 32), max(n, h) - 3, n * h * 4, Dim(0) - n})
    EXPECT_EQ(parse_dim(dim.to_string()), dim) << dim.to_string();
  EXPECT_EQ(parse_dim("batch-size").to_string(), "batch-size");
  EXPECT_EQ(parse_dim("N+1").to_string(), "N+1");  // a name that somebody else gave
  EXPECT_FALSE(parse_dim("N+1") == n + 1);
}

TEST(IrText, NamesThatWouldBeConfusedGetNumbers) {
  Result<Model> model =
      parse(std::string(kHeader) + "g (float x) => (float y) { y = Relu(x) }", "test");
  ASSERT_TRUE(model);
  model->values[1].name = "x";
  EXPECT_NE(print(*model).find("x_1 = Relu(x)"), std::string::npos) << print(*model);
}

TEST(IrText, PeopleSeeTheStartOfLongConstants) {
  const std::string list = "1, 2, 3, 4, 5, 6, 7, 8, 9";
  Result<Model> model = parse(std::string(kHeader) + "g (float x) => (float[9] y) <float[9] w = {" +
                                  list + "}> { y = Add(x, w) }",
                              "test");
  ASSERT_TRUE(model);
  const std::string brief = print(*model, Detail::kBrief);
  EXPECT_NE(brief.find("{1, 2, 3, 4, ...}"), std::string::npos) << brief;
  EXPECT_NE(brief.find("y = Add(x, w)  # float[9]"), std::string::npos) << brief;
}

}  // namespace
}  // namespace godwit::ir
