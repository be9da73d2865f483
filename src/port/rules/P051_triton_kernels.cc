// Inventory of Triton kernels, and of CUDA code in texts: what each would need on the chip.
#include "base/text.h"
#include "port/kernel_work.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

void visit(const UseSite& site, World& world, Changes& changes) {
  if (site.use.kind != project::UseKind::kDecorator) return;
  const Subject& subject = site.subject;
  const NodeIndex decorated = subject.tree().ancestor(site.use.node, Kind::kDecoratedDefinition);
  if (decorated == kNoNode) return;
  const NodeIndex function = subject.tree().child(decorated, Field::kDefinition);
  const NodeIndex name =
      function == kNoNode ? kNoNode : subject.tree().child(function, Field::kName);
  if (name == kNoNode) return;
  Args args = {{"name", std::string(subject.text(name))}};
  if (facts::is_yes(world.soc.triton))
    return changes.as(diag::Severity::kNote).leave(subject, name, "port", args);
  if (const auto known = substitute_of(subject.text(name))) {
    args.insert(args.end(), {{"instead", known->instead}, {"note", known->note}});
    return changes.leave(subject, name, "known", args);
  }
  args.emplace_back("days", days_of_a_kernel());
  changes.leave(subject, name, "new", args);
}

}  // namespace

extern const Rule triton_kernels = {
    .code = "P051",
    .severity = diag::Severity::kWarning,
    .names = {"triton.jit", "triton.runtime.jit"},
    .use = visit,
};

}  // namespace godwit::port::rules
