// One walk over the tree, comparing names; an attribute of self is told by its text.
#include "port/reads.h"

namespace godwit::port {
namespace {

bool is_self_attribute(const Subject& subject, NodeIndex node) {
  if (subject[node].kind != Kind::kAttribute) return false;
  const NodeIndex object = subject.tree().child(node, Field::kObject);
  return object != kNoNode && subject.text(object) == "self";
}

bool is_written(const Subject& subject, NodeIndex node) {
  const NodeIndex up = subject[node].parent;
  return up != kNoNode && subject[up].kind == Kind::kAssignment &&
         subject[node].field == Field::kLeft;
}

// Keywords of calls, definitions and attributes of something else share the spelling only.
bool is_other_name(const syntax::Node& node) {
  return node.field == Field::kName || node.field == Field::kAttribute;
}

}  // namespace

NodeIndex flag_of(const Subject& subject, NodeIndex value) {
  const NodeIndex up = subject[value].parent;
  if (up == kNoNode || subject[up].kind != Kind::kAssignment ||
      subject[value].field != Field::kRight)
    return kNoNode;
  const NodeIndex left = subject.tree().child(up, Field::kLeft);
  if (left == kNoNode) return kNoNode;
  const bool is_flag = subject[left].kind == Kind::kIdentifier || is_self_attribute(subject, left);
  return is_flag ? left : kNoNode;
}

std::vector<NodeIndex> reads_of(const Subject& subject, NodeIndex flag) {
  const std::string_view name = subject.text(flag);
  const Kind kind = subject[flag].kind;
  const bool is_variable = kind == Kind::kIdentifier;
  const auto scope = is_variable ? subject.binder(name, subject.scope_of(flag)) : std::nullopt;
  std::vector<NodeIndex> reads;
  for (NodeIndex node = 0; node < subject.tree().nodes().size(); ++node) {
    if (subject[node].kind != kind || subject.text(node) != name || is_written(subject, node))
      continue;
    const bool is_same = !is_variable || (!is_other_name(subject[node]) &&
                                          subject.binder(name, subject.scope_of(node)) == scope);
    if (is_same) reads.push_back(node);
  }
  return reads;
}

}  // namespace godwit::port
