// Reading ONNX models: what a good one gives, and the error that each kind of bad one gets.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "diag/finding.h"
#include "formats/onnx/external.h"
#include "formats/onnx/model.h"
#include "onnx_text.h"

namespace godwit::formats::onnx {
namespace {

using tests::OnnxText;
using tests::Proto;
namespace fs = std::filesystem;

// The bytes live as long as the model that points into them.
struct Loaded {
  std::string bytes;
  Result<Model> model;
  explicit Loaded(std::string content)
      : bytes(std::move(content)), model(read(std::string_view(bytes), "m.onnx")) {}
  std::string code() const { return model ? "" : model.error().code; }
};

Loaded load(std::string_view text) { return Loaded(OnnxText::to_bytes(text)); }

TEST(OnnxReader, GivesNodesValuesTypesAndConstants) {
  const Loaded loaded = load(R"(
    opset 13
    opset npu 1
    input x: float[1,3,h,224]
    init w: float[8,3,3,3]
    init axes: int64[2] = 2,-1
    y = Conv(x, w) {kernel_shape=[3,3], group=1, name="conv1"}
    z = npu::NPUMish(y)
    r = ReduceSum(z, axes) {keepdims=0}
    output r: float[1,8]
  )");
  ASSERT_TRUE(loaded.model) << diag::render(loaded.model.error());
  const Model& m = *loaded.model;
  ASSERT_EQ(m.nodes.size(), 3u);
  const Node& conv = m.nodes[0];
  EXPECT_EQ(conv.name, "conv1");
  EXPECT_EQ(m.integers(conv, "kernel_shape"), (std::vector<std::int64_t>{3, 3}));
  EXPECT_EQ(m.integer(conv, "group", 0), 1);
  EXPECT_EQ(m.nodes[1].domain, "npu");
  const Value& x = m.values[m.inputs(conv)[0]];
  ASSERT_EQ(m.shape(x.type).size(), 4u);
  EXPECT_EQ(m.shape(x.type)[2].size, -1);
  EXPECT_EQ(m.shape(x.type)[2].symbol, "h");
  EXPECT_EQ(m.values[m.inputs(m.nodes[1])[0]].producer, 0u);
  const Tensor* const axes = m.constant(m.inputs(m.nodes[2])[1]);
  ASSERT_TRUE(axes);
  EXPECT_EQ(m.integers(*axes), (std::vector<std::int64_t>{2, -1}));
  EXPECT_EQ(m.tensors[0].bytes, 8u * 3 * 3 * 3 * 4);
  ASSERT_EQ(m.opset_imports(m.graphs[0]).size(), 2u);
}

TEST(OnnxReader, SubgraphsSeeValuesOfTheGraphAround) {
  const Loaded loaded = load(R"(
    input c: bool[]
    input x: float[2]
    y = Relu(x)
    graph yes
      a = Neg(y)
      output a
    end
    graph no
      b = Abs(y)
      output b
    end
    z = If(c) {then_branch=@yes, else_branch=@no}
    output z
  )");
  ASSERT_TRUE(loaded.model) << diag::render(loaded.model.error());
  const Model& m = *loaded.model;
  ASSERT_EQ(m.graphs.size(), 3u);
  EXPECT_EQ(m.graphs[1].depth, 1u);
  EXPECT_EQ(m.nodes[m.graphs[1].owner].op, "If");
  const Node& neg = m.nodes[m.graphs[1].nodes.first];
  EXPECT_EQ(m.values[m.inputs(neg)[0]].name, "y");
}

TEST(OnnxReader, FunctionsHaveGraphsAndOpsetsOfTheirOwn) {
  const Loaded loaded = load(R"(
    opset 18
    input x: float[2]
    function local Twice (a) -> (b)
      b = Add(a, a)
    end
    y = local::Twice(x)
    output y
  )");
  ASSERT_TRUE(loaded.model) << diag::render(loaded.model.error());
  const Model& m = *loaded.model;
  ASSERT_EQ(m.functions.size(), 1u);
  EXPECT_EQ(m.functions[0].name, "Twice");
  EXPECT_EQ(m.opset_imports(m.graphs[m.functions[0].graph])[0].version, 17);
}

TEST(OnnxReader, AnInitialiserMayBeTheDefaultOfAnInput) {
  const Loaded loaded = load(
      "ir 3\ninput x: float[2]\ninput w: float[2]\ninit w: float[2]\n"
      "y = Add(x, w)\noutput y");
  ASSERT_TRUE(loaded.model);
  EXPECT_NE(loaded.model->values[loaded.model->inputs(loaded.model->nodes[0])[1]].tensor, kNone);
}

struct Faulty {
  std::string_view code, text;
};

TEST(OnnxReader, NamesTheFaultOfTheDataflow) {
  constexpr Faulty kCases[] = {
      {"E035", "input x: float[1]\na = Add(x, b)\nb = Relu(a)\noutput b"},
      {"E036", "input x: float[1]\na = Relu(b)\nb = Relu(x)\noutput a"},
      {"E037", "input x: float[1]\na = Add(x, ghost)\noutput a"},
      {"E037", "input x: float[1]\na = Relu(x)\noutput ghost"},
      {"E038", "input x: float[1]\na = Relu(x)\na = Neg(x)\noutput a"},
      {"E038", "input x: float[1]\ninput x: float[1]\na = Relu(x)\noutput a"},
      {"E038", "init w: float[1]\ninit w: float[1]\na = Relu(w)\noutput a"},
      {"E035",
       "input c: bool[]\ngraph g\n  t = Neg(later)\n  output t\nend\n"
       "y = If(c) {then_branch=@g, else_branch=@g}\nlater = Relu(y)\noutput later"},
      {"E042", "init w: float[2] external w.bin -3\na = Relu(w)\noutput a"},
      {"E046", "init w: float[-1]\na = Relu(w)\noutput a"},
  };
  for (const Faulty& each : kCases) EXPECT_EQ(load(each.text).code(), each.code) << each.text;
}

TEST(OnnxReader, TellsANodeWithoutANameByItsPlace) {
  const Loaded loaded =
      load("input x: float[1]\na = Relu(x)\nb = Add(x, ghost) {name=\"\"}\noutput a");
  ASSERT_FALSE(loaded.model);
  const std::string said = diag::render(loaded.model.error());
  EXPECT_NE(said.find("node Add (index 1)"), std::string::npos) << said;
}

TEST(OnnxReader, SaysWhatAForeignFileLooksLike) {
  using namespace std::string_view_literals;
  constexpr std::pair<std::string_view, std::string_view> kCases[] = {
      {"<!DOCTYPE html><html>"sv, "a web page"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:0\n"sv, "Git LFS"},
      {"PK\x03\x04\x14\0\0\0"sv, "torch.save"},
      {"ftrt\x01\0\0\0"sv, "TensorRT"},
      {"\x20\0\0\0TFL3"sv, "TensorFlow Lite"},
      {""sv, "empty"},
      {"\x0a\x03xyz\x12\x00"sv, "another kind"},
      {"\x08\x08"sv, "without a graph"},
  };
  for (const auto& [bytes, says] : kCases) {
    const auto model = read(bytes, "m.onnx");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, "E030");
    EXPECT_NE(diag::render(model.error()).find(says), std::string::npos)
        << diag::render(model.error());
  }
}

TEST(OnnxReader, SaysWhichTensorIsCutOff) {
  std::string bytes = OnnxText::to_bytes(
      "input x: float[4]\ninit w1: float[4]\n"
      "init w2: float[1000]\ny = Add(x, w1)\noutput y");
  bytes.resize(bytes.find("w2") + 100);
  const Loaded loaded(bytes);
  ASSERT_EQ(loaded.code(), "E031");
  EXPECT_EQ(
      diag::render(loaded.model.error()),
      "error[E031]: m.onnx is cut off\n"
      "  --> m.onnx, byte " +
          std::to_string(bytes.size() - 95) +
          "\n"
          "   |  tensor \"w2\" says 4,000 bytes, 95 are left in the file\n"
          "   = help: copy the file again, and compare its size or sha256 with the original\n");
}

// Every prefix and every file with one byte changed is read or refused, and nothing else.
TEST(OnnxReader, SurvivesEveryPrefixAndEveryFlippedByte) {
  const std::string good = OnnxText::to_bytes(R"(
    input c: bool[]
    input x: float[n,4]
    init w: float[4]
    graph g
      a = Add(x, w)
      output a
    end
    y = If(c) {then_branch=@g, else_branch=@g, k=[1,2], s="t", f=0.5}
    function d F (p) -> (q)
      q = Relu(p)
    end
    z = d::F(y)
    output z: float[n,4])");
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::string cut = good.substr(0, size);
    if (const auto model = read(std::string_view(cut), "m")) {
      EXPECT_FALSE(model->graphs.empty());
    } else {
      EXPECT_FALSE(diag::render(model.error()).empty());
    }
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ flip);
      const auto model = read(std::string_view(bad), "m");
      EXPECT_TRUE(model || !diag::render(model.error()).empty());
    }
  }
}

TEST(OnnxReader, RefusesDeepNestingWithoutRecursion) {
  std::string graph;
  for (int depth = 0; depth < 200; ++depth) {
    Proto attribute;
    attribute.text(1, "b").text(6, graph).integer(20, 5);
    Proto node;
    node.text(4, "Loop").text(5, attribute.bytes);
    graph = Proto().text(1, node.bytes).bytes;
  }
  EXPECT_EQ(Loaded(Proto().integer(1, 8).text(7, graph).bytes).code(), "E034");
}

TEST(OnnxReader, RefusesHostileNumbers) {
  Proto shape;  // 2^40 × 2^40 elements
  shape.integer(1, std::int64_t{1} << 40).integer(1, std::int64_t{1} << 40).integer(2, 1);
  const auto model_with = [](const Proto& tensor) {
    return Proto().integer(1, 8).text(7, Proto().text(5, tensor.bytes).bytes).bytes;
  };
  EXPECT_EQ(Loaded(model_with(shape)).code(), "E046");
  Proto raw;
  raw.integer(1, 3).integer(2, 1).text(9, "12345");
  EXPECT_EQ(Loaded(model_with(raw)).code(), "E041");
  Proto overlong;  // a string that says it is longer than its tensor
  overlong.bytes = "\x42\x7f";
  const std::string rest = Proto().text(14, std::string(300, 'x')).bytes;
  EXPECT_EQ(Loaded(model_with(overlong) + rest).code(), "E032");
  Proto wire;
  wire.integer(8, 3);
  EXPECT_EQ(Loaded(model_with(wire)).code(), "E033");
  Proto tag;
  tag.bytes = std::string(2, '\0');
  EXPECT_EQ(Loaded(model_with(tag)).code(), "E040");
}

// A folder with weights, links and a file outside, removed when the test ends.
class OnnxExternal : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "godwit-onnx-XXXXXX").string();
    ASSERT_TRUE(::mkdtemp(name.data()));
    root_ = name;
    fs::create_directories(root_ / "model" / "weights");
    for (const char* const path : {"secret", "model/w.bin", "model/weights/w.bin", "model/twin"}) {
      std::ofstream(root_ / path) << std::string(64, 'w');
    }
    fs::create_symlink("w.bin", root_ / "model" / "near");
    fs::create_symlink("../secret", root_ / "model" / "far");
    fs::create_hard_link(root_ / "model" / "twin", root_ / "other_name");
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string outcome(std::string_view place) {
    const Loaded loaded =
        load("init w: float[4] external " + std::string(place) + "\ny = Relu(w)\noutput y");
    if (!loaded.model) return loaded.code();
    const auto files = external_files(*loaded.model, root_ / "model");
    if (!files) return files.error().code;
    const ExternalFile& file = files->at(0);
    return !file.found ? "missing" : file.size < file.needed ? "short" : "ok";
  }

  fs::path root_;
};

TEST_F(OnnxExternal, IsAsLongAsShapeAndTypeSay) {
  EXPECT_EQ(outcome("w.bin 0 16"), "ok");
  EXPECT_EQ(outcome("w.bin 0 12"), "E041");
  EXPECT_EQ(outcome("w.bin 0 64"), "E041");
  EXPECT_EQ(outcome("w.bin 0 9223372036854775807"), "E041");
}

TEST_F(OnnxExternal, StaysInTheFolderOfTheModel) {
  EXPECT_EQ(outcome("w.bin"), "ok");
  EXPECT_EQ(outcome("weights/w.bin 48 16"), "ok");
  EXPECT_EQ(outcome("near"), "ok");
  EXPECT_EQ(outcome("absent.bin"), "missing");
  EXPECT_EQ(outcome("w.bin 56"), "short");
  EXPECT_EQ(outcome("w.bin 9223372036854775807"), "short");
  EXPECT_EQ(outcome("w.bin 0 0"), "ok");
  EXPECT_EQ(outcome("../secret"), "E043");
  EXPECT_EQ(outcome("weights/../../secret"), "E043");
  EXPECT_EQ(outcome((root_ / "secret").string()), "E043");
  EXPECT_EQ(outcome("far"), "E043");
  EXPECT_EQ(outcome("twin"), "E044");
}

}  // namespace
}  // namespace godwit::formats::onnx
