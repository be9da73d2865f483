// The condition and its branch are searched for names imported from such a library.
#include "port/cuda_library.h"

#include "facts/libraries.h"

namespace godwit::port {
namespace {

bool lacks_chip(std::string_view name, const facts::Soc& soc) {
  if (name.starts_with("torch.") || name.starts_with('.')) return false;
  const auto library = facts::find_library(name, soc);
  return library && *library && (*library)->on_soc == facts::Flag::kNo;
}

std::string_view library_in(const Subject& subject, NodeIndex part, const facts::Soc& soc) {
  if (part == kNoNode) return {};
  for (const project::Use& use : subject.module().uses()) {
    const std::string_view name = subject.module().name(use.name);
    if (subject.is_in(use.node, part) && lacks_chip(name, soc))
      return name.substr(0, name.find('.'));
  }
  return {};
}

bool is_condition_part(Kind kind) {
  return kind == Kind::kBooleanOperator || kind == Kind::kNotOperator ||
         kind == Kind::kParenthesized || kind == Kind::kComparisonOperator ||
         kind == Kind::kAttribute || kind == Kind::kCall || kind == Kind::kArgumentList;
}

// The branch that runs where the condition is true, or false after `not` and `!=`.
NodeIndex branch_of(const Subject& subject, NodeIndex condition, bool is_negated) {
  const NodeIndex owner = subject[condition].parent;
  if (owner == kNoNode) return kNoNode;
  if (subject[owner].kind == Kind::kConditionalExpression && subject.position(condition) == 1)
    return subject.children(owner)[is_negated ? 2 : 0];
  if (subject[condition].field != Field::kCondition) return kNoNode;
  return subject.tree().child(owner, is_negated ? Field::kAlternative : Field::kConsequence);
}

}  // namespace

std::string_view guarded_library(const Subject& subject, NodeIndex test, const facts::Soc& soc) {
  NodeIndex condition = test;
  bool is_negated = false;
  while (true) {
    const Kind kind = subject[condition].kind;
    if (kind == Kind::kNotOperator) is_negated = !is_negated;
    if (kind == Kind::kComparisonOperator &&
        subject.text(condition).find("!=") != std::string_view::npos)
      is_negated = !is_negated;
    const NodeIndex up = subject[condition].parent;
    if (up == kNoNode || !is_condition_part(subject[up].kind)) break;
    condition = up;
  }
  const std::string_view beside = library_in(subject, condition, soc);
  if (!beside.empty()) return beside;
  return library_in(subject, branch_of(subject, condition, is_negated), soc);
}

}  // namespace godwit::port
