// LayerNormalization as one operator: its parser is open on the newest branch only.
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene&, const NodeGroup& group, NodeFindings& out) {
  if (group.verdict.opset_fits) out.add(group);
}

}  // namespace

extern const NodeRule layer_norm = {
    .code = "S122",
    .severity = diag::Severity::kWarning,
    .ops = {"LayerNormalization"},
    .group = judge,
};

}  // namespace godwit::scan::nodes
