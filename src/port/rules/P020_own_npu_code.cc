// A module that tests for the NPU itself knows both worlds: renaming its CUDA branch would break
// it.
#include "base/text.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

bool asks_for_npu(std::string_view name) {
  return contains(name, "npu_available") || name == "torch.npu.is_available" ||
         name == "torch_npu.npu.is_available";
}

bool is_npu_text(std::string_view content) {
  return content == "npu" || content.starts_with("npu:");
}

// The first place where the module tells the NPU from other devices, or kNoNode.
NodeIndex find_branch(const Subject& subject) {
  for (const project::Use& use : subject.module().uses()) {
    if (asks_for_npu(subject.module().name(use.name))) return use.node;
  }
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    const Kind kind = nodes[node].kind;
    if (kind == Kind::kIdentifier && asks_for_npu(subject.text(node))) return node;
    if (kind != Kind::kString) continue;
    const auto text = subject.module().literal(node);
    if (text && is_npu_text(*text)) return node;
  }
  return kNoNode;
}

bool guard(const Subject& subject, World&, Changes& changes) {
  const NodeIndex branch = find_branch(subject);
  if (branch == kNoNode) return false;
  changes.leave(subject, branch, "left");
  return true;
}

}  // namespace

extern const Rule own_npu_code = {
    .code = "P020",
    .severity = diag::Severity::kNote,
    .guard = guard,
    .holds_values = true,
};

}  // namespace godwit::port::rules
