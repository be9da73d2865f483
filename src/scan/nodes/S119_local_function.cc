// Calls of functions that the model brings along: ATC looks for a parser of that name.
#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene&, const NodeGroup& group, NodeFindings& out) {
  if (group.function == onnx::kNone) return;
  out.add(group, {{"optype", to_valid_utf8(group.optype())}});
}

}  // namespace

extern const NodeRule local_function = {
    .code = "S119",
    .severity = diag::Severity::kError,
    .group = judge,
};

}  // namespace godwit::scan::nodes
