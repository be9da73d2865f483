// bf16 in the model, on a chip without bf16.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene& scene, NodeFindings& out) {
  if (facts::is_yes(scene.soc().bf16)) return;
  std::size_t weights = 0, values = 0;
  for (const onnx::Tensor& tensor : scene.model.tensors) {
    weights += tensor.element == onnx::ElementType::kBfloat16 ? 1 : 0;
  }
  for (const onnx::Value& value : scene.model.values) {
    const bool is_weight = value.tensor != onnx::kNone;
    values += !is_weight && value.type.element == onnx::ElementType::kBfloat16 ? 1 : 0;
  }
  if (weights + values == 0) return;
  diag::Finding& found =
      out.add({{"weights", format("{}", weights)}, {"values", format("{}", values)}});
  found.count = static_cast<std::uint32_t>(weights + values);
  if (!facts::is_no(scene.soc().bf16)) found.severity = diag::Severity::kWarning;
}

}  // namespace

extern const NodeRule bf16 = {
    .code = "S108",
    .severity = diag::Severity::kError,
    .model = judge,
};

}  // namespace godwit::scan::nodes
