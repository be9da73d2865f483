// fp32 matrix multiplies and convolutions that the chip computes in fp16 without a word.
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const NodeView& node, NodeFindings& out) {
  if (node.scene.soc().fp32_matmul != facts::Fp32Matmul::kFp16) return;
  for (std::size_t i = 0; i < node.inputs().size() && i < 2; ++i) {
    const onnx::Value* const input = node.input(i);
    if (input && input->type.element == onnx::ElementType::kFloat) return out.add(node);
  }
}

}  // namespace

extern const NodeRule fp32_matmul = {
    .code = "S112",
    .severity = diag::Severity::kWarning,
    .ops = {"MatMul", "Gemm", "Conv", "ConvTranspose", "LSTM", "GRU", "Einsum"},
    .node = judge,
};

}  // namespace godwit::scan::nodes
