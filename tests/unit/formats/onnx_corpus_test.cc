// The corpus of the ONNX fuzzer as a regression test: each file is read or refused as it was
// before.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/file.h"
#include "diag/finding.h"
#include "formats/onnx/model.h"

namespace godwit::formats::onnx {
namespace {

TEST(OnnxCorpus, GivesTheSameOutcomes) {
  const std::map<std::string, std::string> outcomes = {
      {"relu", ""},
      {"weights", ""},
      {"external", ""},
      {"branches", ""},
      {"attributes", ""},
      {"function", ""},
      {"sparse", ""},
      {"types", ""},
      {"nested", "E034"},
      {"cycle", "E035"},
      {"twice", "E038"},
      {"huge_dims", "E046"},
      {"wrong_wire", "E033"},
      {"overlong", "E032"},
      {"negative_dim", "E046"},
      {"long_varint", "E040"},
      {"group", "E040"},
      {"cut", "E031"},
      {"wrong_size", "E041"},
      {"web_page", "E030"},
      {"pointer", "E030"},
  };
  for (const auto& [name, code] : outcomes) {
    const auto model = read(std::filesystem::path(GODWIT_ROOT "/tests/fuzz/corpus/onnx") / name);
    EXPECT_EQ(model ? "" : model.error().code, code) << name;
    EXPECT_TRUE(model || !diag::render(model.error()).empty());
  }
}

}  // namespace
}  // namespace godwit::formats::onnx
