// ATC's default precision_mode turns fp32 models into fp16 ones, on every chip.
#include <algorithm>

#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene& scene, NodeFindings& out) {
  const auto is_fp32 = [](onnx::ElementType type) { return type == onnx::ElementType::kFloat; };
  const auto& tensors = scene.model.tensors;
  const bool weights = std::any_of(tensors.begin(), tensors.end(), [&](const onnx::Tensor& tensor) {
    return tensor.elements > 1 && is_fp32(tensor.element);
  });
  const bool inputs = std::any_of(scene.inputs.begin(), scene.inputs.end(), [&](onnx::Index input) {
    return is_fp32(scene.model.values[input].type.element);
  });
  if (!weights && !inputs) return;
  // Where the matrix unit has no fp32 at all, S112 names the nodes.
  const bool only_fp16 = scene.soc().fp32_matmul == facts::Fp32Matmul::kFp16;
  out.add({}, only_fp16 ? "fp16_matmul" : "");
}

}  // namespace

extern const NodeRule precision_mode = {
    .code = "S136",
    .severity = diag::Severity::kNote,
    .model = judge,
};

}  // namespace godwit::scan::nodes
