// What the ONNX node tests leave out of single operators: old opsets, limits of whole numbers, bad
// sizes, random numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "exec/evaluate.h"

namespace godwit {
namespace {

using ir::Attribute;
using ir::Datum;
using ir::ElementType;
using ir::Node;
using ir::Tensor;

Node node(std::string op, std::int64_t opset, std::size_t inputs,
          std::vector<Attribute> attributes = {}, std::size_t outputs = 1) {
  Node out{.name = "n", .op = std::move(op), .opset = opset, .attributes = std::move(attributes)};
  for (std::size_t i = 0; i < inputs; ++i) out.inputs.push_back(static_cast<ir::ValueId>(i));
  for (std::size_t i = 0; i < outputs; ++i)
    out.outputs.push_back(static_cast<ir::ValueId>(inputs + i));
  return out;
}

Result<Tensor> run(const Node& one, std::vector<Datum> inputs, const ops::Host& host = {}) {
  ASSIGN(std::vector<Datum> out, exec::evaluate(one, std::move(inputs), host));
  return out[0].tensor;
}

template <class T>
std::vector<T> values(const Result<Tensor>& tensor) {
  if (!tensor) {
    ADD_FAILURE() << tensor.error().code;
    return {};
  }
  const auto held = tensor->values<T>();
  return {held.begin(), held.end()};
}

template <class T>
using Row = std::vector<T>;

TEST(Evaluation, OldOpsetsBroadcastAtAnAxis) {
  const Tensor a = Tensor::of<float>({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  const Tensor b = Tensor::of<float>({2}, {10, 20});
  const std::vector<Attribute> at = {{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{1}}};
  EXPECT_EQ(values<float>(run(node("Add", 6, 2, at), {a, b})),
            (Row<float>{10, 11, 22, 23, 14, 15, 26, 27}));
  EXPECT_EQ(values<float>(run(node("Add", 7, 2), {a, b})),
            (Row<float>{10, 21, 12, 23, 14, 25, 16, 27}));
  const std::vector<Attribute> beyond = {{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{3}}};
  EXPECT_FALSE(run(node("Add", 6, 2, beyond), {a, b}));
}

// The sanitizer of our builds watches: sums of signed numbers wrap around here.
TEST(Evaluation, WholeNumbersWrapWhereverTheyAddUp) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  const Tensor data = Tensor::of<std::int32_t>({1}, {kMost});
  const Tensor one = Tensor::of<std::int32_t>({1}, {1});
  const Tensor at = Tensor::integers({0});
  const auto scattered = [&](const char* reduction) {
    return values<std::int32_t>(run(
        node("ScatterElements", 18, 3, {{"reduction", std::string(reduction)}}),
        {data, at, reduction == std::string("mul") ? Tensor::of<std::int32_t>({1}, {2}) : one}));
  };
  EXPECT_EQ(scattered("add"), Row<std::int32_t>{std::numeric_limits<std::int32_t>::min()});
  EXPECT_EQ(scattered("mul"), Row<std::int32_t>{-2});
  EXPECT_EQ(scattered("max"), Row<std::int32_t>{kMost});
  EXPECT_EQ(scattered("min"), Row<std::int32_t>{1});
}

TEST(Evaluation, OldSoftmaxTakesAllLaterAxesAsOne) {
  const Tensor x = Tensor::of<float>({1, 2, 2}, {0, 0, 0, 0});
  EXPECT_EQ(values<float>(run(node("Softmax", 11, 1), {x})), (Row<float>(4, 0.25F)));
  EXPECT_EQ(values<float>(run(node("Softmax", 13, 1), {x})), (Row<float>(4, 0.5F)));
}

TEST(Evaluation, WholeNumbersWrapAndAreNotDividedByZero) {
  constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
  const Tensor a = Tensor::of<std::int32_t>({1}, {kLeast});
  const Tensor minus_one = Tensor::of<std::int32_t>({1}, {-1});
  const Tensor zero = Tensor::of<std::int32_t>({1}, {0});
  EXPECT_EQ(values<std::int32_t>(run(node("Div", 14, 2), {a, minus_one})),
            Row<std::int32_t>{kLeast});
  EXPECT_EQ(values<std::int32_t>(run(node("Mod", 13, 2), {a, minus_one})), Row<std::int32_t>{0});
  EXPECT_EQ(values<std::int32_t>(run(node("Abs", 13, 1), {a})), Row<std::int32_t>{kLeast});
  EXPECT_EQ(values<std::int32_t>(run(node("Add", 14, 2), {a, minus_one})),
            Row<std::int32_t>{std::numeric_limits<std::int32_t>::max()});
  EXPECT_FALSE(run(node("Div", 14, 2), {a, zero}));
  EXPECT_FALSE(run(node("Mod", 13, 2), {a, zero}));
}

TEST(Evaluation, WholePowersAreExact) {
  const Tensor base = Tensor::of<std::int64_t>({4}, {3, -1, 2, 0});
  const Tensor by = Tensor::of<std::int64_t>({4}, {39, -3, -1, 0});
  EXPECT_EQ(values<std::int64_t>(run(node("Pow", 15, 2), {base, by})),
            (Row<std::int64_t>{4052555153018976267, -1, 0, 1}));
}

Attribute to(ElementType type) { return {"to", static_cast<std::int64_t>(type)}; }

TEST(Evaluation, CastsKeepTheBitsOfWholeNumbersAndReadTexts) {
  const Tensor big = Tensor::of<std::int64_t>({2}, {9007199254740993, -1});
  EXPECT_EQ(values<std::uint64_t>(run(node("Cast", 13, 1, {to(ElementType::kUint64)}), {big})),
            (Row<std::uint64_t>{9007199254740993U, ~std::uint64_t{0}}));
  const Tensor texts = Tensor::of<std::string>({4}, {"1e-3", " +INF", "-7", "NaN"});
  const auto read = values<float>(run(node("Cast", 13, 1, {to(ElementType::kFloat)}), {texts}));
  ASSERT_EQ(read.size(), 4U);
  EXPECT_EQ(read[0], 1e-3F);
  EXPECT_TRUE(std::isinf(read[1]));
  EXPECT_EQ(read[2], -7.0F);
  EXPECT_TRUE(std::isnan(read[3]));
  const Tensor word = Tensor::of<std::string>({1}, {"seven"});
  EXPECT_FALSE(run(node("Cast", 13, 1, {to(ElementType::kFloat)}), {word}));
  EXPECT_FALSE(run(node("Cast", 13, 1, {to(static_cast<ElementType>(99))}), {big}));
}

TEST(Evaluation, ScalesOfEightBitsRoundAsAsked) {
  const Tensor x = Tensor::of<float>({4}, {1.25F, 1.5F, 0.0F, 3e38F});
  const auto codes = [&](std::string mode) -> std::vector<int> {
    const auto made =
        run(node("Cast", 25, 1, {to(ElementType::kFloat8E8M0), {"round_mode", mode}}), {x});
    if (!made) return {};
    std::vector<int> out;
    for (std::size_t i = 0; i < 4; ++i) out.push_back(static_cast<int>(made->data()[i]));
    return out;
  };
  EXPECT_EQ(codes("up"), (std::vector<int>{128, 128, 0, 254}));
  EXPECT_EQ(codes("down"), (std::vector<int>{127, 127, 0, 254}));
  EXPECT_EQ(codes("nearest"), (std::vector<int>{127, 128, 0, 254}));
  EXPECT_EQ(codes("sideways"), (std::vector<int>{}));
}

TEST(Evaluation, ReductionsOfNothingHaveTheirNeutralElement) {
  const Tensor nothing = Tensor::of<float>({0, 2}, {});
  const Tensor axis = Tensor::integers({0});
  const auto reduced = [&](std::string op) {
    return values<float>(run(node(std::move(op), 20, 2), {nothing, axis}));
  };
  EXPECT_EQ(reduced("ReduceProd"), (Row<float>{1, 1}));
  EXPECT_EQ(reduced("ReduceSum"), (Row<float>{0, 0}));
  EXPECT_EQ(reduced("ReduceMax"), (Row<float>(2, -std::numeric_limits<float>::infinity())));
  const Tensor infinite = Tensor::of<float>({2}, {std::numeric_limits<float>::infinity(), 1});
  EXPECT_TRUE(std::isinf(values<float>(run(node("ReduceLogSumExp", 18, 1), {infinite})).at(0)));
}

TEST(Evaluation, SizesThatDoNotFitAreRefused) {
  const Tensor a = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_FALSE(run(node("MatMul", 13, 2), {a, a}));
  EXPECT_FALSE(run(node("MatMul", 13, 2), {a, Tensor::scalar(1.0F)}));
  EXPECT_FALSE(run(node("Gemm", 13, 2), {a, a}));
  EXPECT_FALSE(run(node("Det", 22, 1), {a}));
  EXPECT_FALSE(run(node("TopK", 11, 2, {}, 2), {a, Tensor::integers({4})}));
  EXPECT_FALSE(run(node("TopK", 11, 2, {}, 2), {a, Tensor::integers({-1})}));
  EXPECT_FALSE(run(node("CumSum", 14, 2), {a, Tensor::integers({2})}));
  EXPECT_FALSE(run(node("ArgMax", 13, 1), {Tensor::of<float>({0}, {})}));
  const Tensor scales = Tensor::of<float>({2}, {1, 2});
  EXPECT_FALSE(run(node("QuantizeLinear", 13, 2), {a, scales}));
  EXPECT_TRUE(run(node("QuantizeLinear", 13, 2, {{"axis", std::int64_t{0}}}), {a, scales}));
}

TEST(Evaluation, EquationsThatDoNotFitAreRefused) {
  const Tensor a = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto einsum = [&](std::string equation) {
    return run(node("Einsum", 12, 2, {{"equation", std::move(equation)}}), {a, a});
  };
  EXPECT_EQ(values<float>(einsum("ij,ij->")), Row<float>{91});
  EXPECT_EQ(values<float>(einsum("ij,kj")), (Row<float>{14, 32, 32, 77}));
  EXPECT_EQ(values<float>(einsum("ij,kl->i")), (Row<float>{126, 315}));
  for (const char* const bad : {"ij,jk->ik", "ij->i", "ijk,ij->i", "ij,ij->ii", "ij,ij->x",
                                "i.j,ij->i", "......,ij->i", "", "->"})
    EXPECT_FALSE(einsum(bad)) << bad;
}

TEST(Evaluation, RandomNumbersFollowFromTheSeedOfTheRunAndTheNode) {
  const Node one = node("RandomUniform", 22, 0, {{"shape", std::vector<std::int64_t>{3}}});
  ops::Host host, again, other;
  host.seed = again.seed = 7;
  other.seed = 8;
  const auto first = values<float>(run(one, {}, host));
  EXPECT_EQ(first, values<float>(run(one, {}, again)));
  EXPECT_NE(first, values<float>(run(one, {}, host)));  // as in the next round of a loop
  EXPECT_NE(first, values<float>(run(one, {}, other)));
}

TEST(Evaluation, ClassesOfLossesAreHeldAgainstTheScores) {
  const Tensor scores = Tensor::of<float>({2, 2}, {-1, -2, -3, -4});
  const auto loss = [&](std::int64_t second, std::vector<Attribute> attributes) {
    return run(node("NegativeLogLikelihoodLoss", 13, 2, std::move(attributes)),
               {scores, Tensor::integers({0, second})});
  };
  EXPECT_EQ(values<float>(loss(1, {})), Row<float>{2.5F});
  EXPECT_EQ(values<float>(loss(9, {{"ignore_index", std::int64_t{9}}})), Row<float>{1});
  EXPECT_FALSE(loss(2, {}));
}

}  // namespace
}  // namespace godwit
