// An operator whose kernel for this chip came with a newer CANN release.
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene& scene, const NodeGroup& group, NodeFindings& out) {
  const facts::GraphVerdict& verdict = group.verdict;
  if (verdict.since.empty() || verdict.verdict == facts::Verdict::kBlocked) return;
  if (!scene.cann.empty()) return;  // judged for that release already
  out.add(group, {{"since", verdict.since}});
}

}  // namespace

extern const NodeRule newer_kernel = {
    .code = "S121",
    .severity = diag::Severity::kNote,
    .group = judge,
};

}  // namespace godwit::scan::nodes
