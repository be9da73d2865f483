// A dtype that no registered kernel of the operator takes on this chip.
#include <algorithm>

#include "base/text.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

// What ATC converts by itself before it looks for a kernel: floats by precision_mode, i64 where it
// can be i32, bool as a byte.
bool is_converted(onnx::ElementType type, const std::vector<std::string>& dtypes) {
  const auto takes = [&](std::string_view code) {
    return std::find(dtypes.begin(), dtypes.end(), code) != dtypes.end();
  };
  if (takes(code(type))) return true;
  if (type == onnx::ElementType::kFloat || type == onnx::ElementType::kDouble) return takes("fp16");
  if (type == onnx::ElementType::kFloat16) return takes("fp32");
  if (type == onnx::ElementType::kInt64) return takes("i32");
  return type == onnx::ElementType::kBool && (takes("i8") || takes("u8"));
}

void judge(const NodeView& node, NodeFindings& out) {
  const facts::GraphVerdict& verdict = node.group.verdict;
  // AI CPU kernels list types per port, in forms of their own: only AI Core lists are complete.
  const bool on_aicore = verdict.verdict == facts::Verdict::kSupported;
  if (verdict.dtypes.empty() || !on_aicore) return;
  for (std::size_t i = 0; i < node.inputs().size(); ++i) {
    const onnx::Value* const input = node.input(i);
    const bool is_tensor = input && input->type.kind == onnx::Type::Kind::kTensor;
    if (!is_tensor || ir::bits(input->type.element) == 0) continue;
    const onnx::ElementType type = input->type.element;
    // Named by S108 and S109.
    if (type == onnx::ElementType::kBfloat16 || type == onnx::ElementType::kDouble) continue;
    if (is_converted(type, verdict.dtypes)) continue;
    return out.add(node, {{"dtype", std::string(code(type))},
                          {"cann_op", verdict.cann_op},
                          {"dtypes", join(verdict.dtypes, ", ")}});
  }
}

}  // namespace

extern const NodeRule input_dtype = {
    .code = "S110",
    .severity = diag::Severity::kWarning,
    .node = judge,
};

}  // namespace godwit::scan::nodes
