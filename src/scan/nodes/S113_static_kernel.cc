// An operator whose kernels want static shapes, in a node with unknown dimensions.
#include <algorithm>

#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

bool is_dynamic(const NodeView& node, const onnx::Value* value) {
  if (!value || !value->type.has_shape) return false;
  const auto dims = node.shape(*value);
  return std::any_of(dims.begin(), dims.end(), [](const onnx::Dim& dim) { return dim.size < 0; });
}

void judge(const NodeView& node, NodeFindings& out) {
  if (!node.group.verdict.static_only) return;
  for (std::size_t i = 0; i < node.inputs().size(); ++i) {
    if (is_dynamic(node, node.input(i))) return out.add(node);
  }
  if (is_dynamic(node, node.output(0))) out.add(node);
}

}  // namespace

extern const NodeRule static_kernel = {
    .code = "S113",
    .severity = diag::Severity::kWarning,
    .node = judge,
};

}  // namespace godwit::scan::nodes
