// Operators that the tables neither confirm nor deny on this chip.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene&, const NodeGroup& group, NodeFindings& out) {
  const facts::GraphVerdict& verdict = group.verdict;
  if (group.tier != facts::Tier::kUnknown) return;
  const std::string lacks = verdict.missing.empty() ? verdict.cann_op : join(verdict.missing, ", ");
  out.add(group, {{"cann_op", lacks}},
          verdict.verdict == facts::Verdict::kPartial ? "partial" : "");
}

}  // namespace

extern const NodeRule not_proven = {
    .code = "S123",
    .severity = diag::Severity::kNote,
    .group = judge,
};

}  // namespace godwit::scan::nodes
