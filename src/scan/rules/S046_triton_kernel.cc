// Triton kernels: some chips have triton-ascend, the others nothing.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeIndex;

// The function below the decorator is the kernel.
std::string kernel_name(const Site& site) {
  const syntax::Tree& tree = site.module.tree();
  const NodeIndex decorated = tree.ancestor(site.node, Kind::kDecoratedDefinition);
  if (decorated == kNoNode) return std::string(site.name);
  const NodeIndex function = tree.child(decorated, Field::kDefinition);
  const NodeIndex name = function == kNoNode ? kNoNode : tree.child(function, Field::kName);
  return std::string(name == kNoNode ? site.name : tree.text(name));
}

void visit(const Site& site, Findings& out) {
  if (site.use->kind != project::UseKind::kDecorator && !site.is_call()) return;
  const facts::Flag triton = site.scene.soc().triton;
  diag::Finding finding =
      site.finding({{"kernel", kernel_name(site)}}, facts::is_no(triton)    ? ""
                                                    : facts::is_yes(triton) ? "port"
                                                                            : "unknown");
  if (!facts::is_no(triton)) finding.severity = diag::Severity::kWarning;
  const auto ability = site.scene.soc().abilities.find("triton");
  if (ability != site.scene.soc().abilities.end()) {
    finding.properties.set("source", ability->second.source);
    finding.properties.set("at", ability->second.at);
  }
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule triton_kernel = {
    .code = "S046",
    .severity = diag::Severity::kError,
    .names = {"triton.jit", "triton.runtime.jit"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
