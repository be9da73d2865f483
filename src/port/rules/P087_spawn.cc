// mp.spawn stays where it works: what it hands to its processes must be picklable.
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

// A lambda, or a function that is defined inside of another: neither can be pickled.
NodeIndex unpicklable(const Subject& subject, NodeIndex value) {
  if (value == kNoNode) return kNoNode;
  for (NodeIndex node = value; node < subject[value].past; ++node) {
    if (subject[node].kind == Kind::kLambda) return node;
  }
  if (subject[value].kind != Kind::kIdentifier) return kNoNode;
  const auto scope = subject.binder(subject.text(value), subject.scope_of(value));
  if (!scope || *scope == 0) return kNoNode;
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    if (nodes[node].kind != Kind::kFunctionDefinition || subject.scope_of(node) != *scope) continue;
    const NodeIndex name = subject.tree().child(node, Field::kName);
    if (name != kNoNode && subject.text(name) == subject.text(value)) return value;
  }
  return kNoNode;
}

void visit(const UseSite& site, World& world, Changes& changes) {
  if (!world.cards.is_asked() || site.use.call == kNoNode) return;
  const project::Module& module = site.subject.module();
  for (const NodeIndex value :
       {module.argument(site.use.call, "fn", 0), module.argument(site.use.call, "args", 1)}) {
    const NodeIndex found = unpicklable(site.subject, value);
    if (found != kNoNode)
      changes.leave(site.subject, found, "left", {{"name", std::string(site.subject.text(found))}});
  }
}

}  // namespace

extern const Rule spawn = {
    .code = "P087",
    .severity = diag::Severity::kError,
    .names = {"torch.multiprocessing.spawn", "torch.multiprocessing.start_processes"},
    .use = visit,
};

}  // namespace godwit::port::rules
