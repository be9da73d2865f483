// x.cuda() becomes x.npu() where x is shown to be a tensor or a module.
#include "port/literals.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

// x.cuda(i, non_blocking=True) becomes x.to(DEVICE, non_blocking=True).
void move(const UseSite& site, NodeIndex name, Proof proof, const World& world, Changes& changes) {
  const Subject& subject = site.subject;
  const auto arguments = site.use.call == kNoNode ? std::vector<project::Argument>()
                                                  : subject.module().arguments(site.use.call);
  const bool has_place = !arguments.empty() && arguments[0].keyword.empty();
  const bool is_clear =
      site.use.call != kNoNode && (arguments.size() < 2 || !arguments[1].keyword.empty()) &&
      (arguments.empty() || (!arguments[0].is_starred && arguments[0].keyword != "device"));
  if (!is_clear) return changes.leave(subject, site.use.node, "portable");
  changes.replace(subject, name, "to", proof);
  if (has_place) {
    changes.with(Helper::kDevice);
    const NodeIndex value = arguments[0].value;
    if (subject[value].kind == Kind::kString || subject[value].kind == Kind::kInteger)
      return;  // P004
    changes.replace(subject, subject[value].begin, subject[value].begin,
                    asks_helper(subject, world, "place("), proof);
    return changes.replace(subject, subject[value].end, subject[value].end, ")", proof);
  }
  const NodeIndex list = subject.tree().child(site.use.call, Field::kArguments);
  const std::string device = device_in_use(subject, site.use.node, world, changes);
  changes.replace(subject, subject[list].begin + 1, subject[list].begin + 1,
                  arguments.empty() ? device : device + ", ", proof);
}

void visit(const UseSite& site, World& world, Changes& changes) {
  if (site.name == "torch.cuda" || site.use.node == kNoNode) return;
  const bool is_called = site.use.call != kNoNode;
  const bool is_torch = site.name == "torch.Tensor.cuda" || site.name == "torch.nn.Module.cuda";
  if (!is_called && !is_torch) return;  // args.cuda: a flag of the user
  const NodeIndex name = last_identifier(site.subject, site.use.node);
  if (name == kNoNode || site.subject.text(name) != "cuda") return;
  if (const auto proof = proof_of_method(site, world, "cuda")) {
    if (is_portable(world)) return move(site, name, *proof, world, changes);
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
