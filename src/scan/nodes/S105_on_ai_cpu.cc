// Operators that run on the AI CPU or the host: right, but slow.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene&, const NodeGroup& group, NodeFindings& out) {
  const facts::GraphVerdict& verdict = group.verdict;
  if (verdict.verdict != facts::Verdict::kAicpu) return;
  for (const facts::Restriction& demand : verdict.restrictions) {
    if (demand.rule != "aicpu_unless_rewritten_to") continue;
    return out.add(group, {{"rewrite", demand.value}}, "rewritten", diag::Severity::kNote);
  }
  const std::string on_cpu =
      verdict.on_aicpu.empty() ? verdict.cann_op : join(verdict.on_aicpu, ", ");
  out.add(group, {{"cann_op", on_cpu}});
}

}  // namespace

extern const NodeRule on_ai_cpu = {
    .code = "S105",
    .severity = diag::Severity::kWarning,
    .group = judge,
};

}  // namespace godwit::scan::nodes
