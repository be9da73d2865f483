// Operators whose output shape depends on data: gears do not cover what follows them.
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

void judge(const OnnxScene&, const NodeGroup& group, NodeFindings& out) { out.add(group); }

}  // namespace

extern const NodeRule data_shape = {
    .code = "S117",
    .severity = diag::Severity::kWarning,
    .ops = {"NonZero", "NonMaxSuppression", "Unique", "Compress"},
    .group = judge,
};

}  // namespace godwit::scan::nodes
