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

NodeIndex statement_of(const Subject& subject, NodeIndex node) {
  NodeIndex at = node;
  while (subject[at].parent != kNoNode && subject[subject[at].parent].kind != Kind::kBlock &&
         subject[subject[at].parent].kind != Kind::kModule)
    at = subject[at].parent;
  return at;
}

}  // namespace godwit::port
