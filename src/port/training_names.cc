// Compares names and climbs expressions.
#include "port/training_names.h"

#include "base/text.h"

namespace godwit::port {

bool is_loader(std::string_view name) {
  return name == "torch.utils.data.DataLoader" || name == "torch.utils.data.dataloader.DataLoader";
}

bool is_parallel(std::string_view name) {
  return name == "torch.nn.DataParallel" || name == "torch.nn.parallel.DataParallel";
}

bool is_optimizer(std::string_view name) {
  const std::string_view made = name.substr(name.rfind('.') + 1);
  const bool is_class = !made.empty() && made.front() >= 'A' && made.front() <= 'Z';
  return is_class && name.starts_with("torch.optim.") && !contains(name, "lr_scheduler") &&
         !contains(name, "swa_utils");
}

bool sums_up(const Subject& subject, const project::Use& use) {
  if (!subject.module().name(use.name).starts_with("torch.nn.")) return false;
  const NodeIndex reduction = subject.module().argument(use.call, "reduction");
  if (reduction != kNoNode) return subject.module().literal(reduction) == "sum";
  const NodeIndex average = subject.module().argument(use.call, "size_average");
  return average != kNoNode && subject[average].kind == Kind::kFalse;
}

bool is_place(const Subject& subject, NodeIndex node) {
  if (subject[node].kind == Kind::kIdentifier) return true;
  if (subject[node].kind != Kind::kAttribute) return false;
  const NodeIndex object = subject.tree().child(node, Field::kObject);
  return object != kNoNode && subject.text(object) == "self";
}

NodeIndex whole_model(const Subject& subject, NodeIndex part) {
  NodeIndex at = part;
  while (at != kNoNode && !is_place(subject, at) && subject[at].kind == Kind::kAttribute)
    at = subject.tree().child(at, Field::kObject);
  return at == kNoNode ? part : at;
}

std::vector<NodeIndex> values_of(const Subject& subject, NodeIndex name) {
  std::vector<NodeIndex> values;
  const auto scope = subject.binder(subject.text(name), subject.scope_of(name));
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = 0; scope && node < nodes.size(); ++node) {
    if (nodes[node].kind != Kind::kAssignment || subject.scope_of(node) != *scope) continue;
    const NodeIndex left = subject.tree().child(node, Field::kLeft);
    const NodeIndex right = subject.tree().child(node, Field::kRight);
    if (left != kNoNode && right != kNoNode && subject.text(left) == subject.text(name))
      values.push_back(right);
  }
  return values;
}

NodeIndex statement_of(const Subject& subject, NodeIndex node) {
  NodeIndex at = node;
  while (subject[at].parent != kNoNode && subject[subject[at].parent].kind != Kind::kBlock &&
         subject[subject[at].parent].kind != Kind::kModule)
    at = subject[at].parent;
  return at;
}

}  // namespace godwit::port
