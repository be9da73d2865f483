// What verification and inspection do before anything runs: words, partners of inputs, functions.
#include "exec/verify.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/file.h"
#include "exec/inspect.h"
#include "exec/session.h"
#include "onnx_text.h"

namespace godwit::exec {
namespace {

class VerifyFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "verifyXXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string model(const char* name, std::string_view text) const {
    EXPECT_TRUE(write_file(folder_ / name, tests::OnnxText::to_bytes(text)));
    return folder_ / name;
  }
  std::filesystem::path folder_;
};

TEST(Profiles, RefuseWordsThatMeanNothing) {
  EXPECT_TRUE(resolve_profile("ascend310p", {.order = "exact"}));
  for (const ChipWords& words :
       {ChipWords{.precision_mode = "x"}, ChipWords{.stores = "all"}, ChipWords{.order = "slow"}}) {
    const auto profile = resolve_profile("ascend310p", words);
    ASSERT_FALSE(profile);
    EXPECT_EQ(profile.error().code, "E170");
  }
}

// An input goes by its place only when neither side knows the name of the other.
TEST_F(VerifyFiles, InputsGoByPlaceOnlyWithoutANamesake) {
  const std::string ab =
      model("ab.onnx", "input a: float[2]\ninput b: float[2]\noutput y\ny = Sub(a, b)\n");
  const std::string ba =
      model("ba.onnx", "input b: float[2]\ninput a: float[2]\noutput y\ny = Sub(a, b)\n");
  const std::string ac =
      model("ac.onnx", "input a: float[2]\ninput c: float[2]\noutput y\ny = Sub(a, c)\n");
  const std::string bc =
      model("bc.onnx", "input b: float[2]\ninput c: float[2]\noutput y\ny = Sub(b, c)\n");
  EXPECT_TRUE(verify({.model = ab, .against = ba, .to = "ascend310p"}));
  EXPECT_TRUE(verify({.model = ab, .against = ac, .to = "ascend310p"}));
  EXPECT_FALSE(verify({.model = ab, .against = bc, .to = "ascend310p"}));
}

TEST_F(VerifyFiles, RefusesOpsetsThatNobodyKnows) {
  const std::string path =
      model("new.onnx", "opset 99\ninput x: float[2]\noutput y\ny = Relu(x)\n");
  const auto out = run({.model = path, .random = true});
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().code, "E152");
}

TEST_F(VerifyFiles, CostsIncludeTheBodiesOfFunctions) {
  const std::string path = model("f.onnx",
                                 "opset own 1\ninput x: float[2,3]\ninit w: float[3,4]\noutput y\n"
                                 "y = own::Dense(x, w)\n"
                                 "function own Dense (a, b) -> (c)\nc = MatMul(a, b)\nend\n");
  const auto out = inspect({.model = path});
  ASSERT_TRUE(out) << out.error().code;
  EXPECT_EQ(out->summary["flop"].integer(), 2 * 2 * 3 * 4);
  EXPECT_EQ(out->summary["flop_uncounted"].integer(), 0);
}

}  // namespace
}  // namespace godwit::exec
