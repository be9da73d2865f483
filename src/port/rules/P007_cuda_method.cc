// x.cuda() becomes x.npu() where x is shown to be a tensor or a module.
#include "port/literals.h"

namespace godwit::port::rules {
namespace {

void visit(const UseSite& site, World& world, Changes& changes) {
  if (site.name == "torch.cuda" || site.use.node == kNoNode) return;
  const bool is_called = site.use.call != kNoNode;
  const bool is_torch = site.name == "torch.Tensor.cuda" || site.name == "torch.nn.Module.cuda";
  if (!is_called && !is_torch) return;  // args.cuda: a flag of the user
  const NodeIndex name = last_identifier(site.subject, site.use.node);
  if (name == kNoNode || site.subject.text(name) != "cuda") return;
  if (const auto proof = proof_of_method(site, world, "cuda")) {
    return changes.replace(site.subject, name, "npu", *proof);
  }
  const NodeIndex object = site.subject.tree().child(site.use.node, Field::kObject);
  changes.leave(
      site.subject, site.use.node, site.name.starts_with('.') ? "unproven" : "foreign",
      {{"object", std::string(object == kNoNode ? site.name : site.subject.text(object))}});
}

}  // namespace

extern const Rule cuda_method = {
    .code = "P007",
    .severity = diag::Severity::kError,
    .names = {".cuda"},
    .use = visit,
};

}  // namespace godwit::port::rules
