// Results whose shape depends on data: the device waits for the host, and kernels may be compiled
// anew.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeIndex;

diag::Severity severity_on(const Scene& scene) {
  return facts::is_yes(scene.soc().jit_compile_default) ? diag::Severity::kWarning
                                                        : diag::Severity::kNote;
}

void report(diag::Finding finding, const Scene& scene, Findings& out) {
  finding.severity = severity_on(scene);
  if (finding.severity == diag::Severity::kNote) finding.variant = "sync";
  out.push_back(std::move(finding));
}

void visit(const Site& site, Findings& out) {
  if (!site.is_call()) return;
  const bool is_where = site.name == "torch.where";
  if (is_where && site.module.arguments(site.use->call).size() != 1) return;
  report(site.finding({{"name", std::string(site.name)}}), site.scene, out);
}

// `scores[scores > 0.5]`: a comparison as the whole index. Text of arrays that are no tensors looks
// the same, so only modules that import torch and nothing of numpy's kind in the index count.
bool is_mask_index(const syntax::Tree& tree, NodeIndex node) {
  if (tree[node].kind != Kind::kSubscript) return false;
  const NodeIndex base = tree.first_child(node);
  const NodeIndex index = base == kNoNode ? kNoNode : tree.next_sibling(base);
  if (index == kNoNode || tree.next_sibling(index) != kNoNode) return false;
  if (tree[index].kind != Kind::kComparisonOperator) return false;
  // Assigning through a mask keeps the shape.
  const NodeIndex parent = tree[node].parent;
  const bool assigned =
      parent != kNoNode && tree[node].field == syntax::Field::kLeft &&
      (tree[parent].kind == Kind::kAssignment || tree[parent].kind == Kind::kAugmentedAssignment);
  return !assigned && tree.ancestor(node, Kind::kFunctionDefinition) != kNoNode;
}

bool computes_with_torch(const project::Module& module) {
  bool torch = false;
  for (const project::Import& import : module.imports()) {
    const std::string_view target = module.name(import.target);
    if (target == "numpy" || target == "pandas") return false;
    torch |= target == "torch" || target.starts_with("torch.");
  }
  return torch;
}

void finish(const Rule& rule, const Scene& scene, Findings& out) {
  for (const project::Module& module : scene.project.modules) {
    if (!computes_with_torch(module)) continue;
    const auto& nodes = module.tree().nodes();
    for (NodeIndex i = 0; i < nodes.size(); ++i) {
      if (is_mask_index(module.tree(), i)) {
        report(make_finding(rule, scene, module, i, {{"name", "x[mask]"}}), scene, out);
      }
    }
  }
}

}  // namespace

extern const Rule dynamic_shape = {
    .code = "S064",
    .severity = diag::Severity::kWarning,
    .once_per_file = true,
    .names = {"torch.nonzero", "torch.Tensor.nonzero", "torch.unique", "torch.Tensor.unique",
              "torch.unique_consecutive", "torch.masked_select", "*.masked_select", "torch.where",
              "torch.argwhere", "torch.bincount", "torch.repeat_interleave", "torch.combinations"},
    .visit = visit,
    .finish = finish,
};

}  // namespace godwit::scan::rules
