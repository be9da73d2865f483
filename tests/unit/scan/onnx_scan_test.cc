// What case files cannot say of the ONNX scan: models in folders, sparse giants, figures.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "diag/finding.h"
#include "onnx_text.h"
#include "scan/onnx.h"
#include "scan/scan.h"

namespace godwit::scan {
namespace {

namespace fs = std::filesystem;

class OnnxScan : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "godwit-scan-XXXXXX").string();
    ASSERT_TRUE(::mkdtemp(name.data()));
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(std::string_view name, std::string_view content) {
    EXPECT_TRUE(write_file(folder_ / name, content));
    return folder_ / name;
  }
  static Options options() { return {.target = *facts::resolve_target("ascend310p")}; }
  static bool has(const std::vector<diag::Finding>& findings, std::string_view code) {
    return std::any_of(findings.begin(), findings.end(),
                       [&](const diag::Finding& finding) { return finding.code == code; });
  }

  fs::path folder_;
};

constexpr std::string_view kPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\n";

TEST_F(OnnxScan, AnUnreadableModelEndsItsOwnScanOnly) {
  const fs::path model = write("a.onnx", kPointer);
  const auto alone = scan(model, options());
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().code, "E030");
  write("train.py", "import torch\n");
  const auto project = scan(folder_, options());
  ASSERT_TRUE(project);
  EXPECT_TRUE(has(project->outcome.findings, "S135"));
}

// 2 GB in one message, of which nothing but the first page exists on the disk.
TEST_F(OnnxScan, SaysThatProtobufEndsAtTwoGigabytes) {
  tests::Proto note;
  note.varint(6 << 3 | 2);
  note.varint(std::uint64_t{1} << 31);
  const std::string bytes = tests::OnnxText::to_bytes("input x: float[4]\ny = Relu(x)\noutput y");
  const fs::path path = write("giant.onnx", bytes + note.bytes);
  const auto size = static_cast<off_t>(bytes.size() + note.bytes.size() + (std::size_t{1} << 31));
  if (::truncate(path.c_str(), size) != 0) GTEST_SKIP() << "no sparse files here";
  const auto report = scan_onnx(path, options().target);
  ASSERT_TRUE(report) << diag::render(report.error());
  EXPECT_TRUE(has(report->findings, "S126"));
}

TEST_F(OnnxScan, AddsUpWeightsAndLiveValues) {
  const fs::path path = write("m.onnx", tests::OnnxText::to_bytes(R"(
    input x: float[n,1000]
    init w: float[1000,1000]
    init i: int64[10]
    value a: float[n,1000]
    value b: float[n,1000]
    a = MatMul(x, w)
    b = Relu(a)
    c = Neg(b)
    output c: float[n,1000]
  )"));
  const auto report = scan_onnx(path, options().target);
  ASSERT_TRUE(report);
  const OnnxFigures& f = report->figures;
  EXPECT_EQ(f.parameters, 1'000'000u);
  EXPECT_EQ(f.weight_bytes, 4'000'080u);
  EXPECT_EQ(f.fp16_bytes, 2'000'080u);
  // Two values of 1000 fp16 numbers at a time: an input of a node and its output.
  EXPECT_EQ(f.activation_bytes, 4000u);
  EXPECT_EQ(f.left_out, 0u);
  EXPECT_EQ(report->summary["tiers"]["direct"].integer(), 3);
  EXPECT_EQ(report->summary["weights"]["i64"]["elements"].integer(), 10);
  EXPECT_EQ(report->summary["operators"]["ai.onnx::17::Relu"]["nodes"].integer(), 1);
  EXPECT_EQ(f.atc_command,
            "atc --framework=5 --model=m.onnx --output=m --soc_version=Ascend310P3 "
            "--input_shape=x:-1,1000 --dynamic_batch_size=1,2,4,8");
}

}  // namespace
}  // namespace godwit::scan
