// Inputs from every source, and each way to get them wrong.
#include "exec/feed.h"

#include <gtest/gtest.h>

#include "formats/npy/npy.h"
#include "model_text.h"

namespace godwit::exec {
namespace {

constexpr std::string_view kTwo =
    "input a: float[N,2]\ninput b: int64[?]\noutput y\ny = Add(a, a)\n";

class Feed : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "feedXXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return folder_ / name; }
  std::filesystem::path folder_;
};

std::string code_of(const std::string& text, FeedOptions options,
                    const std::vector<std::string>& dims = {}) {
  const tests::TextModel source(text);
  auto numbers = parse_dims(source.model, dims);
  if (!numbers) return numbers.error().code;
  options.dims = *numbers;
  const auto out = feed(source.model, options);
  return out ? "" : out.error().code;
}

TEST_F(Feed, TakesArraysByName) {
  const ir::Tensor a = ir::Tensor::of<float>({1, 2}, {1, 2});
  const ir::Tensor b = ir::Tensor::integers({7});
  ASSERT_TRUE(formats::npy::write_npz(path("both.npz"), {{"b", b}, {"a", a}}));
  ASSERT_TRUE(formats::npy::write_npy(path("a.npy"), a));
  ASSERT_TRUE(formats::npy::write_npz(path("odd.npz"), {{"c", a}}));
  const std::string text(kTwo);
  EXPECT_EQ(code_of(text, {.sources = {path("both.npz")}}), "");
  EXPECT_EQ(code_of(text, {.sources = {"a=" + path("a.npy")}}), "E185");
  EXPECT_EQ(code_of(text, {.sources = {"a=" + path("a.npy")}, .random = true}, {"b:0=3"}), "");
  EXPECT_EQ(code_of(text, {.sources = {path("a.npy")}}), "E189");
  EXPECT_EQ(code_of(text, {.sources = {path("odd.npz")}}), "E184");
  EXPECT_EQ(code_of(text, {.sources = {path("none.npz")}}), "E001");
  EXPECT_EQ(code_of(text, {.sources = {folder_}}), "E189");
  EXPECT_EQ(code_of("input x\noutput y\ny = Relu(x)\n", {.sources = {path("a.npy")}}), "");
}

TEST_F(Feed, RefusesAnArchiveThatGivesNothing) {
  const ir::Tensor a = ir::Tensor::of<float>({1, 2}, {1, 2});
  ASSERT_TRUE(formats::npy::write_npz(path("two.npz"), {{"c", a}, {"d", a}}));
  ASSERT_TRUE(formats::npy::write_npz(path("one.npz"), {{"c", a}}));
  ASSERT_TRUE(formats::npy::write_npz(path("none.npz"), {}));
  const std::string text(kTwo);
  const std::vector<std::string> dims = {"N=1", "b:0=1"};
  EXPECT_EQ(code_of(text, {.sources = {"a=" + path("two.npz")}, .random = true}, dims), "E190");
  EXPECT_EQ(code_of(text, {.sources = {"a=" + path("none.npz")}, .random = true}, dims), "E190");
  EXPECT_EQ(code_of(text, {.sources = {path("none.npz")}, .random = true}, dims), "E189");
  EXPECT_EQ(code_of(text, {.sources = {"a=" + path("one.npz")}, .random = true}, dims), "");
}

TEST_F(Feed, TakesOneValueForEachInput) {
  const ir::Tensor a = ir::Tensor::of<float>({1, 2}, {1, 2});
  ASSERT_TRUE(formats::npy::write_npz(path("twice.npz"), {{"a", a}, {"a", a}}));
  ASSERT_TRUE(formats::npy::write_npz(path("a.npz"), {{"a", a}}));
  ASSERT_TRUE(formats::npy::write_npy(path("a.npy"), a));
  const std::string text(kTwo), one = "a=" + path("a.npy");
  const std::vector<std::string> dims = {"b:0=1"};
  for (const std::vector<std::string>& sources :
       {std::vector{path("twice.npz")}, {one, one}, {path("a.npz"), one}, {one, path("a.npz")}})
    EXPECT_EQ(code_of(text, {.sources = sources, .random = true}, dims), "E192");
}

TEST_F(Feed, SaysWhatWasDrawn) {
  const tests::TextModel source{std::string(kTwo)};
  ASSERT_TRUE(formats::npy::write_npy(path("a.npy"), ir::Tensor::of<float>({1, 2}, {1, 2})));
  const auto out =
      feed(source.model, {.sources = {"a=" + path("a.npy")}, .random = true, .dims = {{"b:0", 1}}});
  ASSERT_TRUE(out) << out.error().code;
  EXPECT_EQ(out->drawn, std::vector<std::string>{"b"});
}

TEST_F(Feed, BindsTheSymbolsOfExpressions) {
  tests::TextModel source("input m: float[P]\noutput y\ny = Relu(m)\n");
  ir::Type& type = source.model.values[source.model.main().inputs[0]].type;
  type.shape = ir::Shape{ir::Dim::symbol("past") + ir::Dim::symbol("seq")};
  EXPECT_EQ(open_dims(source.model), (std::vector<std::string>{"past", "seq"}));
  EXPECT_FALSE(parse_dims(source.model, {"past + seq=3"}));
  const auto dims = parse_dims(source.model, {"past=2", "seq=1"});
  ASSERT_TRUE(dims);
  const auto out = feed(source.model, {.random = true, .dims = *dims});
  ASSERT_TRUE(out) << out.error().code;
  EXPECT_EQ(out->data[0].tensor.dims(), ir::Sizes{3});
}

TEST_F(Feed, NamesAllDimensionsThatWantANumber) {
  const tests::TextModel source(kTwo);
  const auto dims = parse_dims(source.model, {});
  ASSERT_TRUE(dims);
  const auto out = feed(source.model, {.random = true, .dims = *dims});
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().args.back().second, "--dim N=1 --dim b:0=1");
}

TEST_F(Feed, DrawsWhatHasAShape) {
  const std::string text(kTwo);
  EXPECT_EQ(code_of(text, {}), "E185");
  EXPECT_EQ(code_of(text, {.random = true}), "E186");
  EXPECT_EQ(code_of(text, {.random = true}, {"N=3", "b:0=2"}), "");
  EXPECT_EQ(code_of(text, {.random = true}, {"N=0", "b:0=0"}), "");
  EXPECT_EQ(code_of(text, {.random = true}, {"M=3"}), "E188");
  EXPECT_EQ(code_of(text, {.random = true}, {"N=-1"}), "E188");
  EXPECT_EQ(code_of(text, {.random = true}, {"N"}), "E188");
  EXPECT_EQ(code_of(text, {.random = true}, {"N=9000000000000000000", "b:0=1"}), "E140");
  EXPECT_EQ(code_of("input s: string[1]\noutput y\ny = Identity(s)\n", {.random = true}), "E187");
  EXPECT_EQ(code_of("input s\noutput y\ny = Relu(s)\n", {.random = true}), "E187");
}

TEST(Draw, IsNormalAndTheSameEverywhere) {
  Draw draw(1);
  double sum = 0, squares = 0;
  constexpr int kMany = 20000;
  for (int i = 0; i < kMany; ++i) {
    const double value = draw.normal();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kMany, 0, 0.03);
  EXPECT_NEAR(squares / kMany, 1, 0.05);
  EXPECT_EQ(Draw(0).bits(), 0xe220a8397b1dcdafull);
}

}  // namespace
}  // namespace godwit::exec
