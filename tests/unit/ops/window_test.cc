// What the ONNX node tests leave out of windows, normalisations, recurrent layers and attention:
// symbolic sizes, old opsets, and numbers that no real model holds.
#include "ops/window.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "exec/evaluate.h"

namespace godwit {
namespace {

using ir::Attribute;
using ir::Datum;
using ir::Node;
using ir::Tensor;
using ops::Ints;

Node node(std::string op, std::int64_t opset, std::size_t inputs,
          std::vector<Attribute> attributes = {}, std::size_t outputs = 1) {
  Node out{.name = "n", .op = std::move(op), .opset = opset, .attributes = std::move(attributes)};
  for (std::size_t i = 0; i < inputs; ++i) out.inputs.push_back(static_cast<ir::ValueId>(i));
  for (std::size_t i = 0; i < outputs; ++i)
    out.outputs.push_back(static_cast<ir::ValueId>(inputs + i));
  return out;
}

Result<std::vector<Datum>> run(const Node& one, std::vector<Datum> inputs) {
  return exec::evaluate(one, std::move(inputs), {});
}

Tensor ones(ir::Sizes dims) {
  const auto count = static_cast<std::size_t>(ir::count(dims).value_or(0));
  return Tensor::of<float>(std::move(dims), std::vector<float>(count, 1));
}

std::vector<float> floats(const Datum& datum) {
  const auto values = datum.tensor.values<float>();
  return {values.begin(), values.end()};
}

std::string inferred(const Node& one, const std::vector<ir::Shape>& shapes) {
  std::vector<ops::Known> inputs;
  for (const ir::Shape& shape : shapes)
    inputs.push_back({ir::Type::tensor(ir::ElementType::kFloat, shape)});
  const ops::Operator* const op = ops::find_operator(one);
  ops::Inference inference(*op, one, std::move(inputs));
  if (!op->infer(inference)) return "refused";
  const ir::Type& type = inference.output(0);
  return type.shape ? to_string(*type.shape) : "?";
}

TEST(Window, KeepsSymbols) {
  const ir::Dim n = ir::Dim::symbol("N"), h = ir::Dim::symbol("H");
  const ir::Shape image = {n, 3, h, 224}, filters = {64, 3, 7, 7};
  const std::vector<Attribute> halving = {{"pads", Ints{3, 3, 3, 3}}, {"strides", Ints{2, 2}}};
  EXPECT_EQ(inferred(node("Conv", 11, 2, halving), {image, filters}),
            "[N,64,floor((H - 1)/2) + 1,112]");
  const std::vector<Attribute> same = {{"auto_pad", std::string("SAME_UPPER")}};
  EXPECT_EQ(inferred(node("Conv", 11, 2, same), {image, filters}), "[N,64,H,224]");
  const std::vector<Attribute> pool = {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}};
  EXPECT_EQ(inferred(node("MaxPool", 12, 1, pool), {{n, 64, h * ir::Dim(2), 8}}), "[N,64,H,4]");
  const std::vector<Attribute> twice = {{"strides", Ints{2, 2}}};
  EXPECT_EQ(inferred(node("ConvTranspose", 11, 2, twice), {{n, 3, h, 4}, {3, 8, 2, 2}}),
            "[N,8,2*H,8]");
}

TEST(Window, RefusesWhatCannotBe) {
  const Tensor x = ones({1, 2, 4, 4}), w = ones({2, 2, 3, 3});
  const std::vector<Attribute> wrong[] = {
      {{"strides", Ints{0, 1}}},
      {{"strides", Ints{1}}},
      {{"dilations", Ints{std::int64_t{1} << 40, 1}}},
      {{"pads", Ints{-1, 0, 0, 0}}},
      {{"pads", Ints{1, 1}}},
      {{"group", std::int64_t{0}}},
      {{"group", std::int64_t{3}}},
      {{"kernel_shape", Ints{5, 5}}},
      {{"auto_pad", std::string("SAME")}},
      {{"dilations", Ints{4, 4}}},
  };
  for (const std::vector<Attribute>& attributes : wrong) {
    EXPECT_FALSE(run(node("Conv", 11, 2, attributes), {x, w}))
        << attributes[0].name << " " << (&attributes - wrong);
  }
  EXPECT_TRUE(run(node("Conv", 11, 2), {x, w}));
  // A window that sees padding only has no largest element.
  const std::vector<Attribute> bare = {{"kernel_shape", Ints{1, 1}}, {"pads", Ints{1, 1, 1, 1}}};
  EXPECT_FALSE(run(node("MaxPool", 12, 1, bare), {x}));
  const std::vector<Attribute> huge = {{"strides", Ints{2147483647, 1}},
                                       {"kernel_shape", Ints{1, 1}}};
  const Tensor index = Tensor::of<std::int64_t>({1, 2, 4, 4}, std::vector<std::int64_t>(32, 99));
  EXPECT_FALSE(run(node("MaxUnpool", 11, 2, huge), {x, index}));
}

TEST(Window, MaxPoolCountsByColumnsWhereAsked) {
  const Tensor x = Tensor::of<float>({1, 1, 2, 3}, {0, 0, 0, 0, 0, 9});
  const std::vector<Attribute> whole = {{"kernel_shape", Ints{2, 3}},
                                        {"storage_order", std::int64_t{1}}};
  const auto made = run(node("MaxPool", 12, 1, whole, 2), {x});
  ASSERT_TRUE(made);
  EXPECT_EQ((*made)[1].tensor.values<std::int64_t>()[0], 5);
  const Tensor y = Tensor::of<float>({1, 1, 2, 3}, {0, 0, 9, 0, 0, 0});
  EXPECT_EQ((*run(node("MaxPool", 12, 1, whole, 2), {y}))[1].tensor.values<std::int64_t>()[0], 4);
}

TEST(Normalization, OldOpsetsTrainWhereTheyNameTheOutputs) {
  const Tensor x = Tensor::of<float>({2, 1}, {1, 3});
  const Tensor one = ones({1}), zero = Tensor::of<float>({1}, {0});
  const std::vector<Attribute> halves = {{"momentum", 0.5F}, {"epsilon", 0.0F}};
  const auto trained = run(node("BatchNormalization", 9, 5, halves, 5), {x, one, zero, zero, one});
  ASSERT_TRUE(trained);
  EXPECT_EQ(floats((*trained)[0]), (std::vector<float>{-1, 1}));
  EXPECT_EQ(floats((*trained)[1]), std::vector<float>{1});
  EXPECT_EQ(floats((*trained)[3]), std::vector<float>{2});
  const auto used = run(node("BatchNormalization", 9, 5, halves), {x, one, zero, zero, one});
  ASSERT_TRUE(used);
  EXPECT_EQ(floats((*used)[0]), (std::vector<float>{1, 3}));
}

TEST(Normalization, LayersNeedNoBias) {
  const auto made = run(node("LayerNormalization", 17, 2), {ones({1, 2}), ones({2})});
  ASSERT_TRUE(made);
  EXPECT_EQ(floats((*made)[0]), (std::vector<float>{0, 0}));
}

TEST(Recurrent, RefusesLengthsAndFunctionsThatAreNot) {
  const Tensor x = ones({2, 1, 1}), w = ones({1, 1, 1});
  const auto with_length = [&](std::int32_t length) {
    return run(node("RNN", 14, 5, {}, 2),
               {x, w, w, Datum(), Tensor::of<std::int32_t>({1}, {length})});
  };
  EXPECT_FALSE(with_length(3));
  EXPECT_FALSE(with_length(-1));
  const auto short_one = with_length(1);
  ASSERT_TRUE(short_one);
  EXPECT_EQ(floats((*short_one)[0])[1], 0);  // behind the end
  const auto named = [&](std::string name) {
    const std::vector<Attribute> attributes = {
        {"activations", std::vector<std::string>{std::move(name)}}};
    return run(node("RNN", 14, 3, attributes), {x, w, w});
  };
  EXPECT_FALSE(named("Gelu"));
  EXPECT_FALSE(named("ScaledTanh"));  // has no default parameters
  EXPECT_TRUE(named("Relu"));
}

TEST(Attention, RefusesHeadsThatDoNotFitAndZeroesRowsThatSeeNothing) {
  const Tensor q = ones({1, 2, 6});
  const std::vector<Attribute> odd = {{"q_num_heads", std::int64_t{4}},
                                      {"kv_num_heads", std::int64_t{4}}};
  EXPECT_FALSE(run(node("Attention", 23, 3, odd), {q, q, q}));
  const Tensor x = ones({1, 1, 2, 2});
  const Tensor mask = Tensor::of<float>({2, 2}, {0, 0, -INFINITY, -INFINITY});
  const auto made = run(node("Attention", 23, 4), {x, x, x, mask});
  ASSERT_TRUE(made);
  EXPECT_EQ(floats((*made)[0]), (std::vector<float>{1, 1, 0, 0}));
}

TEST(Resize, RefusesScalesAndFollowsSymbols) {
  const Tensor x = ones({1, 1, 2, 2});
  const auto by = [&](float scale) {
    return run(node("Upsample", 9, 2), {x, Tensor::of<float>({4}, {1, 1, scale, scale})});
  };
  EXPECT_TRUE(by(2));
  EXPECT_FALSE(by(0));
  EXPECT_FALSE(by(-1));
  EXPECT_FALSE(by(INFINITY));
  EXPECT_FALSE(by(1e30F));
  const Tensor sizes = Tensor::integers({1, 1, 2, std::int64_t{1} << 31});
  EXPECT_FALSE(run(node("Resize", 13, 4), {x, Datum(), Datum(), sizes}));
  const std::vector<Attribute> scales = {{"scales", ops::Floats{1, 1, 2, 0.5F}}};
  EXPECT_EQ(inferred(node("Upsample", 7, 1, scales), {{1, 1, ir::Dim::symbol("H"), 6}}),
            "[1,1,2*H,3]");
}

}  // namespace
}  // namespace godwit
