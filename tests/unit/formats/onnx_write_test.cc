// What is written reads back as the same text, with weights inside and outside the file.
#include "formats/onnx/write.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "formats/onnx/import.h"
#include "ir/parse.h"
#include "ir/print.h"

namespace godwit::formats::onnx {
namespace {

namespace fs = std::filesystem;

constexpr const char* kText =
    R"T(<ir_version: 8, opset_import: ["": 18, "loc": 1], producer_name: "me", metadata_props: ["k": "v"]>
g (float[N,3] x, bool c, float[2] d = {1, 2.5}) => (float[N,3] y, seq(float[?]) s)
<float[2] w = {-inf, 0.1},
 float16[1] h = {15360},
 string[2] names = {"a", "b\"q\\"},
 int4[3] q = {-8, 0, 7},
 uint2[5] two = {0, 1, 2, 3, 1},
 bool[2] b = {1, 0},
 int64[0] none = {},
 complex64 z = {1, 2},
 float["2*N + 1"] t,
 optional(seq(float)) o>
{
  [first] t, "" = loc.Op:v2 <a: int = -1, b: float = 0.001, c: string = "", d: ints = [], e: floats = [1, 2], f: strings = ["x"], g: type_proto = seq(float[N]), h: tensor = double {1}, i: tensors = [int64[0] {}, bool {1}]> (x, "", w)
  y = If(c) <then_branch: graph = th () => (float[N,3] p)
    {
      p = Add(t, x)
    }, else_branch: graph = el () => (float[N,3] p)
    <float[1] one = {1}>
    {
      p = Add(t, one)
    }>
  s = loc.twice <k: int = 2> (t)
  o = loc.Op()
}

<domain: "loc", opset_import: ["": 18]>
twice <axis, k: int = 1> (a) => (b)
{
  b = Softmax <axis = @k> (a)
}
)T";

class Write : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / format("godwit-write-{}", ::getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // The text of what is read back, or the code of the error.
  std::string again(const std::string& text, const WriteOptions& options = {}) {
    Result<ir::Model> model = ir::parse(text, "test");
    if (!model) return model.error().code;
    model->path = "";
    const Status written = write(*model, folder_ / "m.onnx", options);
    if (!written) return written.error().code;
    const Result<ir::Model> read = load(folder_ / "m.onnx");
    return read ? ir::print(*read) : read.error().code;
  }

  fs::path folder_;
};

TEST_F(Write, EveryPartReadsBackTheSame) { EXPECT_EQ(again(kText), kText); }

TEST_F(Write, WeightsLieOutsideAtAlignedPlaces) {
  EXPECT_EQ(again(kText, {.external = External::kAlways, .external_from = 1, .alignment = 64}),
            kText);
  EXPECT_TRUE(fs::exists(folder_ / "m.onnx.data"));
  EXPECT_GT(fs::file_size(folder_ / "m.onnx.data"), 3u * 64);
  for (const auto& entry : fs::directory_iterator(folder_))
    EXPECT_NE(entry.path().filename().string().rfind(".godwit-", 0), 0u) << entry.path();
}

TEST_F(Write, AnOldFileStaysWhereTheNewOneCannotBe) {
  EXPECT_EQ(again(kText), kText);
  const std::string before = *read_file(folder_ / "m.onnx");
  EXPECT_EQ(again("<ir_version: 8, opset_import: [\"\": 18]>\ng (float x) => (y) { y = Relu(x) }"),
            "E159");
  EXPECT_EQ(*read_file(folder_ / "m.onnx"), before);
  const Result<ir::Model> model = ir::parse(kText, "test");
  const Status status = write(*model, folder_ / "m.onnx" / "below.onnx");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, "E005");
}

TEST_F(Write, NodesOfSeveralOpsetsCannotBeInOneFile) {
  Result<ir::Model> model = ir::parse(kText, "test");
  model->nodes[model->main().nodes[1]].opset = 13;
  const Status status = write(*model, folder_ / "m.onnx");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, "E159");
}

TEST_F(Write, TheOriginalMayBeReplacedWhileItsWeightsAreMapped) {
  EXPECT_EQ(again(kText, {.external = External::kAlways, .external_from = 1}), kText);
  Result<ir::Model> model = load(folder_ / "m.onnx");
  ASSERT_TRUE(model);
  ASSERT_TRUE(
      write(*model, folder_ / "m.onnx", {.external = External::kAlways, .external_from = 1}));
  EXPECT_EQ(ir::print(*load(folder_ / "m.onnx")), kText);
}

}  // namespace
}  // namespace godwit::formats::onnx
