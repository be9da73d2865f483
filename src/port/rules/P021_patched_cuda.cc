// A module that puts its own functions into torch.cuda serves another device: it is not touched.
#include "port/cuda_module.h"

namespace godwit::port::rules {
namespace {

NodeIndex find_patch(const Subject& subject) {
  for (const project::Use& use : subject.module().uses()) {
    if (!is_cuda_name(subject.module().name(use.name))) continue;
    if (use.kind == project::UseKind::kAssigned) return use.node;
    // setattr(torch.cuda, ...)
    const NodeIndex list = subject[use.node].parent;
    if (list == kNoNode || subject[list].kind != Kind::kArgumentList) continue;
    const NodeIndex function = subject.tree().child(subject[list].parent, Field::kFunction);
    if (function != kNoNode && subject.text(function) == "setattr") return use.node;
  }
  return kNoNode;
}

bool guard(const Subject& subject, World&, Changes& changes) {
  const NodeIndex patch = find_patch(subject);
  if (patch == kNoNode) return false;
  changes.leave(subject, patch, "left");
  return true;
}

}  // namespace

extern const Rule patched_cuda = {
    .code = "P021",
    .severity = diag::Severity::kWarning,
    .guard = guard,
};

}  // namespace godwit::port::rules
