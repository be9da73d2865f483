// The opset of the model against those that ATC reads.
#include "base/text.h"
#include "scan/node_rule.h"
#include "scan/onnx_scene.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene& scene, NodeFindings& out) {
  const Args args = {{"opset", format("{}", scene.opset)}};
  if (scene.opset > kLastOpset) {
    out.add(args, "newer");
  } else if (scene.opset < kFirstOpset) {
    out.add(args, scene.opset == 0 ? "missing" : "older");
  } else if (scene.opset < kFirstOpsetOfPage) {
    out.add(args).severity = diag::Severity::kWarning;
  }
}

}  // namespace

extern const NodeRule model_opset = {
    .code = "S102",
    .severity = diag::Severity::kError,
    .model = judge,
};

}  // namespace godwit::scan::nodes
