// An operator that ATC parses in other opsets than the one of this model.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene&, const NodeGroup& group, NodeFindings& out) {
  const facts::GraphVerdict& verdict = group.verdict;
  if (!verdict.has_parser || verdict.opset_fits || group.function != onnx::kNone) return;
  out.add(group, {{"opset", format("{}", group.judged_opset)},
                  {"opsets", verdict.opsets},
                  {"optype", to_valid_utf8(group.optype())}});
}

}  // namespace

extern const NodeRule operator_opset = {
    .code = "S103",
    .severity = diag::Severity::kError,
    .group = judge,
};

}  // namespace godwit::scan::nodes
