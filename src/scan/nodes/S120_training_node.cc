// Nodes in training mode, left by an export without eval().
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const NodeView& node, NodeFindings& out) {
  if (node.integer("training_mode", 0) != 0) return out.add(node);
  if (!node.group.is("Dropout")) return;
  const onnx::Tensor* const mode =
      node.has_input(2) ? node.scene.model.constant(node.inputs()[2]) : nullptr;
  if (mode && mode->raw.size() == 1 && mode->raw[0] != 0) out.add(node);
}

}  // namespace

extern const NodeRule training_node = {
    .code = "S120",
    .severity = diag::Severity::kWarning,
    .ops = {"BatchNormalization", "Dropout"},
    .node = judge,
};

}  // namespace godwit::scan::nodes
