// A pooling window or stride too large for the fast kernel: transposes are built around it.
#include <algorithm>

#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

constexpr std::int64_t kMostWindow = 255, kMostStride = 63;

void judge(const NodeView& node, NodeFindings& out) {
  const std::vector<std::int64_t> window = node.integers("kernel_shape");
  if (window.size() != 2) return;
  const bool huge = window[0] > kMostWindow || window[1] > kMostWindow;
  std::int64_t stride = 1;
  for (const std::int64_t each : node.integers("strides")) stride = std::max(stride, each);
  if (!huge && window[0] * window[1] <= kMostWindow && stride <= kMostStride) return;
  out.add(node,
          {{"window", format("{}x{}", window[0], window[1])}, {"stride", format("{}", stride)}});
}

}  // namespace

extern const NodeRule slow_pool = {
    .code = "S116",
    .severity = diag::Severity::kNote,
    .ops = {"MaxPool", "LpPool"},
    .node = judge,
};

}  // namespace godwit::scan::nodes
