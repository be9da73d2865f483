// Quantised ONNX models (QDQ or integer operators): ATC has no parser for them.
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene&, const NodeGroup& group, NodeFindings& out) {
  if (group.verdict.has_parser || !group.remedy || group.remedy->kind != "quantised") return;
  out.add(group, {{"how", group.remedy->how}});
}

}  // namespace

extern const NodeRule quantised = {
    .code = "S118",
    .severity = diag::Severity::kError,
    .group = judge,
};

}  // namespace godwit::scan::nodes
