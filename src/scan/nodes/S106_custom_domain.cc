// Operators of a domain that is not ai.onnx: ATC has parsers for few of them.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene&, const NodeGroup& group, NodeFindings& out) {
  if (group.domain.empty() || group.verdict.has_parser || group.function != onnx::kNone) return;
  Args args = {{"domain", to_valid_utf8(group.domain)}, {"optype", to_valid_utf8(group.optype())}};
  if (!group.remedy) return out.add(group, std::move(args), "private");
  if (group.remedy->kind == "quantised") return;  // S118
  args.emplace_back("how", group.remedy->how);
  out.add(group, std::move(args), facts::to_string(group.tier));
}

}  // namespace

extern const NodeRule custom_domain = {
    .code = "S106",
    .severity = diag::Severity::kError,
    .group = judge,
};

}  // namespace godwit::scan::nodes
