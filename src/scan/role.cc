// Walking up from an expression to what uses it.
#include "scan/role.h"

#include "base/text.h"

namespace godwit::scan {
namespace {

using syntax::Field;
using syntax::Kind;
using syntax::kNoNode;
using syntax::NodeIndex;

std::string_view unquoted(std::string_view text) {
  while (!text.empty() && (text.front() == '"' || text.front() == '\'')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == '"' || text.back() == '\'')) text.remove_suffix(1);
  return text;
}

std::string_view text_of(const syntax::Tree& tree, NodeIndex parent, Field field) {
  const NodeIndex child = tree.child(parent, field);
  return child == kNoNode ? std::string_view() : tree.text(child);
}

Role argument_role(const syntax::Tree& tree, NodeIndex list) {
  const NodeIndex call = tree[list].parent;
  if (call == kNoNode || tree[call].kind != Kind::kCall) return {};
  return {.kind = RoleKind::kArgument, .name = text_of(tree, call, Field::kFunction)};
}

Role role_in(const syntax::Tree& tree, NodeIndex parent, NodeIndex node) {
  switch (tree[parent].kind) {
    case Kind::kKeywordArgument:
      return {.kind = RoleKind::kKeyword, .name = text_of(tree, parent, Field::kName)};
    case Kind::kArgumentList: return argument_role(tree, parent);
    case Kind::kAssignment:
      return {.kind = RoleKind::kAssigned, .name = text_of(tree, parent, Field::kLeft)};
    case Kind::kDefaultParameter:
    case Kind::kTypedDefaultParameter:
      return {.kind = RoleKind::kDefault, .name = text_of(tree, parent, Field::kName)};
    case Kind::kPair:
      if (tree[node].field == Field::kKey) return {.kind = RoleKind::kKey};
      return {.kind = RoleKind::kValue, .name = unquoted(text_of(tree, parent, Field::kKey))};
    case Kind::kComparisonOperator: return {.kind = RoleKind::kCompared};
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kSet: return {.kind = RoleKind::kChoice};
    default: return {};
  }
}

bool is_looked_through(Kind kind) {
  return kind == Kind::kParenthesized || kind == Kind::kConditionalExpression ||
         kind == Kind::kBooleanOperator;
}

bool has_part(std::string_view name, std::string_view part) {
  return contains(to_lower(name), part);
}

}  // namespace

Role role_of(const project::Module& module, NodeIndex node) {
  const syntax::Tree& tree = module.tree();
  NodeIndex conditional = kNoNode;
  NodeIndex parent = tree[node].parent;
  while (parent != kNoNode && is_looked_through(tree[parent].kind)) {
    if (tree[parent].kind == Kind::kConditionalExpression) conditional = parent;
    node = parent;
    parent = tree[node].parent;
  }
  Role role = parent == kNoNode ? Role{} : role_in(tree, parent, node);
  role.in_conditional = conditional != kNoNode;
  role.conditional = conditional;
  return role;
}

bool names_dtype(std::string_view name) {
  return has_part(name, "dtype") || has_part(name, "precision") || has_part(name, "amp_type") ||
         has_part(name, "compute_type");
}

bool names_device(std::string_view name) {
  return has_part(name, "device") || has_part(name, "map_location") || name == "dev";
}

bool is_in_effect(const Role& role) {
  switch (role.kind) {
    case RoleKind::kArgument:
    case RoleKind::kKeyword:
    case RoleKind::kAssigned:
    case RoleKind::kDefault:
    case RoleKind::kValue: return true;
    default: return false;
  }
}

}  // namespace godwit::scan
