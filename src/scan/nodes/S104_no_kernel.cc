// An operator that ATC parses but for which no kernel is registered on the chip.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene&, const NodeGroup& group, NodeFindings& out) {
  const facts::GraphVerdict& verdict = group.verdict;
  if (!verdict.opset_fits || verdict.verdict != facts::Verdict::kBlocked) return;
  const std::string lacks = verdict.missing.empty() ? verdict.cann_op : join(verdict.missing, ", ");
  if (!group.remedy) return out.add(group, {{"cann_op", lacks}}, "write");
  out.add(group, {{"cann_op", lacks}, {"how", group.remedy->how}}, facts::to_string(group.tier));
}

}  // namespace

extern const NodeRule no_kernel = {
    .code = "S104",
    .severity = diag::Severity::kError,
    .group = judge,
};

}  // namespace godwit::scan::nodes
