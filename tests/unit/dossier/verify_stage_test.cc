// Which models the stage leaves to the command, and what it says about them.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "diag/messages.h"
#include "dossier/stage.h"
#include "onnx_text.h"
#include "unit/dossier/folder.h"

namespace godwit::dossier {
namespace {

const Stage& verify_stage() {
  return **std::find_if(kStages.begin(), kStages.end(),
                        [](const Stage* stage) { return stage->name == "verify"; });
}

// The reason that the stage gives; empty when it verified the model.
std::string left_out(std::string_view model) {
  const tests::Folder in, out;
  in.put("m.onnx", tests::OnnxText::to_bytes(model));
  const Subject subject{.path = in.path,
                        .name = "m",
                        .kinds = {"onnx"},
                        .inputs = {{{.path = "m.onnx", .kind = project::FileKind::kOnnx}}}};
  const Options options = {{"to", "ascend310p"}};
  const Manifest manifest;
  const auto done = verify_stage().run({subject, options, manifest, out.path, {}});
  if (!done) return done.error().code;
  for (const diag::Finding& finding : done->findings) {
    if (finding.code != "C030") continue;
    for (const auto& [name, value] : finding.args) {
      if (name == "reason") return value;
    }
  }
  return "";
}

bool says(const std::string& found, std::string_view key, const Args& args) {
  return found.find(diag::text(key, args)) != std::string::npos;
}

TEST(VerifyStage, LeavesToTheCommandWhatCouldTakeLong) {
  EXPECT_EQ(left_out("input x: float[2]\noutput y\ny = Relu(x)\n"), "");
  const std::string in_function = left_out(
      "opset own 1\ninput x: float[4096,4096]\noutput y\ny = own::Square(x)\n"
      "function own Square (a) -> (b)\nb = MatMul(a, a)\nend\n");
  EXPECT_TRUE(says(in_function, "large.flop", {{"gflop", "137.4"}})) << in_function;
  const std::string open = left_out(
      "input x: float[4]\ninit w: float[1,8]\noutput y\nn = NonZero(x)\n"
      "t = Transpose(n)\nf = Cast(t) {to=1}\ny = MatMul(f, w)\n");
  EXPECT_TRUE(says(open, "large.uncounted", {{"nodes", "1"}})) << open;
  const std::string wide = left_out("input x: float[600000000]\noutput y\ny = Relu(x)\n");
  EXPECT_TRUE(says(wide, "large.activations", {{"bytes", human_bytes(4800000000)}})) << wide;
}

}  // namespace
}  // namespace godwit::dossier
