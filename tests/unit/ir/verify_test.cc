// Models that are broken on purpose, one fault each.
#include "ir/verify.h"

#include <gtest/gtest.h>

#include "ir/parse.h"

namespace godwit::ir {
namespace {

Model sample() {
  return *parse(R"(<ir_version: 8, opset_import: ["": 18]>
g (float x, bool c) => (float y)
<float[2] w = {1, 2}>
{
  t = Relu(x)
  u = Add(t, w)
  y = If(c) <then_branch = a () => (float o) { o = Relu(u) }, else_branch = b () => (float o) { o = Relu(t) }>
})",
                "test");
}

std::string code_of(const Model& model) {
  const Status status = verify(model);
  return status ? "" : status.error().code;
}

ValueId value(const Model& model, std::string_view name) {
  for (ValueId id = 0; id < model.values.size(); ++id) {
    if (model.values[id].name == name) return id;
  }
  return kNone;
}

TEST(Verify, AWholeModelIsFine) { EXPECT_EQ(code_of(sample()), ""); }

TEST(Verify, FindsEveryKindOfFault) {
  Model model = sample();
  model.nodes[model.main().nodes[0]].inputs[0] = 1000;
  EXPECT_EQ(code_of(model), "E160");

  model = sample();
  model.main().nodes.push_back(model.main().nodes[0]);
  EXPECT_EQ(code_of(model), "E160");

  model = sample();
  model.main().inputs.push_back(value(model, "t"));
  EXPECT_EQ(code_of(model), "E161");

  model = sample();
  std::swap(model.main().nodes[0], model.main().nodes[1]);
  EXPECT_EQ(code_of(model), "E162");

  model = sample();  // t = Relu(u): a cycle
  model.nodes[model.main().nodes[0]].inputs[0] = value(model, "u");
  EXPECT_EQ(code_of(model), "E162");

  model = sample();  // what a branch makes is not seen outside
  model.main().outputs[0] = value(model, "o");
  EXPECT_EQ(code_of(model), "E165");

  model = sample();
  model.values[value(model, "u")].name = "t";
  EXPECT_EQ(code_of(model), "E163");

  model = sample();
  model.values[value(model, "w")].type = Type::tensor(ElementType::kFloat, Shape{3});
  EXPECT_EQ(code_of(model), "E164");

  model = sample();
  model.graphs[2].owner = kNone;
  EXPECT_EQ(code_of(model), "E160");

  model = sample();  // a graph inside itself
  model.nodes[model.main().nodes[2]].set("then_branch", Subgraph{0});
  EXPECT_EQ(code_of(model), "E160");
}

TEST(Verify, NamesNodeAndValue) {
  Model model = sample();
  std::swap(model.main().nodes[0], model.main().nodes[1]);
  const Status status = verify(model);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().args[0].second, "t");
  EXPECT_EQ(status.error().args[1].second, "Add");
}

}  // namespace
}  // namespace godwit::ir
