// Gemm without C: ATC builds MatMulV2 alone and drops alpha; the result is wrong in silence.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const NodeView& node, NodeFindings& out) {
  const float alpha = node.scene.model.number(node.node, "alpha", 1.0f);
  if (node.has_input(2) || alpha == 1.0f) return;
  out.add(node, {{"alpha", format("{}", alpha)}});
}

}  // namespace

extern const NodeRule gemm_alpha = {
    .code = "S115",
    .severity = diag::Severity::kError,
    .ops = {"Gemm"},
    .node = judge,
};

}  // namespace godwit::scan::nodes
