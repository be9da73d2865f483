// fp64 in the model: the chips compute it on the AI CPU or round it to fp32.
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const NodeView& node, NodeFindings& out) {
  for (std::size_t i = 0; i < node.inputs().size(); ++i) {
    const onnx::Value* const input = node.input(i);
    if (!input || input->type.element != onnx::ElementType::kDouble) continue;
    // A Cast that leaves fp64 at once costs nothing worth a word.
    if (node.group.is("Cast")) return;
    return out.add(node);
  }
}

}  // namespace

extern const NodeRule fp64 = {
    .code = "S109",
    .severity = diag::Severity::kWarning,
    .node = judge,
};

}  // namespace godwit::scan::nodes
