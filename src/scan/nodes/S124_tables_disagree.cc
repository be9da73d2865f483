// Operators about which our tables say different things: both are shown.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene&, const NodeGroup& group, NodeFindings& out) {
  const facts::GraphVerdict& verdict = group.verdict;
  if (!verdict.conflict || verdict.evidence.size() < 2) return;
  std::vector<std::string> says;
  for (const facts::Evidence& each : verdict.evidence) {
    if (says.size() < 3) says.push_back(format("{}: {}", each.table, each.says));
  }
  out.add(group, {{"says", join(says, "; ")}});
}

}  // namespace

extern const NodeRule tables_disagree = {
    .code = "S124",
    .severity = diag::Severity::kNote,
    .group = judge,
};

}  // namespace godwit::scan::nodes
