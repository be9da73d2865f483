// One pass numbers the scopes, a second binds the names; both run over the flat tree.
#include "port/subject.h"

#include <algorithm>

namespace godwit::port {
namespace {

bool opens_scope(Kind kind) {
  switch (kind) {
    case Kind::kFunctionDefinition:
    case Kind::kClassDefinition:
    case Kind::kLambda:
    case Kind::kListComprehension:
    case Kind::kSetComprehension:
    case Kind::kDictComprehension:
    case Kind::kGeneratorExpression: return true;
    default: return false;
  }
}

bool holds(const std::vector<std::string_view>& sorted, std::string_view word) {
  return std::binary_search(sorted.begin(), sorted.end(), word);
}

bool is_parameter(Kind kind) {
  return kind == Kind::kDefaultParameter || kind == Kind::kTypedParameter ||
         kind == Kind::kTypedDefaultParameter || kind == Kind::kListSplat ||
         kind == Kind::kDictSplat;
}

}  // namespace

Subject::Subject(const Module& module, std::uint32_t index) : module_(&module), index_(index) {
  const auto uses = module.uses();
  for (std::uint32_t i = 0; i < uses.size(); ++i) {
    if (uses[i].call != kNoNode) by_call_.emplace_back(uses[i].call, i);
  }
  std::sort(by_call_.begin(), by_call_.end());
  number_scopes();
  bind_names();
  sort_names();
}

void Subject::number_scopes() {
  const auto& nodes = tree().nodes();
  scopes_.push_back({});
  scope_of_.resize(nodes.size(), 0);
  for (NodeIndex node = 1; node < nodes.size(); ++node) {
    const NodeIndex parent = nodes[node].parent;
    if (parent == kNoNode) continue;
    ScopeNumber scope = scope_of_[parent];
    const auto opened = opened_.find(parent);
    if (opened != opened_.end()) {
      // Name, return type and base classes are read outside; so are defaults, see below.
      const Field field = nodes[node].field;
      const bool outside =
          field == Field::kName || field == Field::kReturnType || field == Field::kSuperclasses;
      if (!outside) scope = opened->second;
    } else if (is_parameter(nodes[parent].kind) &&
               (nodes[node].field == Field::kValue || nodes[node].field == Field::kType)) {
      scope = scopes_[scope].parent;
    }
    scope_of_[node] = scope;
    if (!opens_scope(nodes[node].kind)) continue;
    opened_.emplace(node, static_cast<ScopeNumber>(scopes_.size()));
    scopes_.push_back(
        {.node = node, .parent = scope, .is_class = nodes[node].kind == Kind::kClassDefinition});
  }
}

// Binds every name of an assignment target: identifiers in patterns, not those of a.b or a[b].
void Subject::bind(NodeIndex target, ScopeNumber scope) {
  if (target == kNoNode) return;
  const auto& nodes = tree().nodes();
  for (NodeIndex node = target; node < nodes[target].past;) {
    const Kind kind = nodes[node].kind;
    if (kind == Kind::kAttribute || kind == Kind::kSubscript) {
      node = nodes[node].past;
      continue;
    }
    if (kind == Kind::kIdentifier) scopes_[scope].bound.push_back(text(node));
    ++node;
  }
}

void Subject::bind_parameters(NodeIndex parameters, ScopeNumber scope) {
  for (const NodeIndex child : children(parameters)) {
    const Kind kind = tree()[child].kind;
    if (kind == Kind::kIdentifier) {
      bind(child, scope);
    } else if (kind == Kind::kDefaultParameter || kind == Kind::kTypedDefaultParameter) {
      bind(tree().child(child, Field::kName), scope);
    } else if (is_parameter(kind)) {
      bind(tree().first_child(child), scope);
    }
  }
}

void Subject::bind_names() {
  const auto& nodes = tree().nodes();
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    const ScopeNumber scope = scope_of_[node];
    switch (nodes[node].kind) {
      case Kind::kAssignment:
      case Kind::kFor:
      case Kind::kForInClause: bind(tree().child(node, Field::kLeft), scope); break;
      case Kind::kNamedExpression:
      case Kind::kFunctionDefinition:
      case Kind::kClassDefinition: bind(tree().child(node, Field::kName), scope); break;
      case Kind::kParameters: bind_parameters(node, scope); break;
      case Kind::kGlobal:
      case Kind::kNonlocal:
        for (const NodeIndex name : children(node)) scopes_[scope].global.push_back(text(name));
        break;
      default: break;
    }
  }
  for (const project::Import& import : module_->imports()) {
    if (import.node != kNoNode && !import.is_star) {
      scopes_[scope_of_[import.node]].bound.push_back(module_->name(import.bound));
      imported_.insert(module_->name(import.bound));
    }
  }
}

void Subject::sort_names() {
  for (Scope& scope : scopes_) {
    for (Words* const words : {&scope.bound, &scope.global}) {
      std::sort(words->begin(), words->end());
      words->erase(std::unique(words->begin(), words->end()), words->end());
      words->shrink_to_fit();
    }
  }
  scopes_.shrink_to_fit();
}

ScopeNumber Subject::opened_by(NodeIndex definition) const {
  const auto found = opened_.find(definition);
  return found == opened_.end() ? 0 : found->second;
}

std::optional<ScopeNumber> Subject::binder(std::string_view name, ScopeNumber from) const {
  for (ScopeNumber scope = from;; scope = scopes_[scope].parent) {
    const Scope& here = scopes_[scope];
    // A class body's names are seen in the body itself, not in its methods.
    const bool is_seen = !here.is_class || scope == from;
    if (is_seen && holds(here.bound, name) && !holds(here.global, name)) return scope;
    if (scope == 0) return std::nullopt;
  }
}

std::string_view Subject::callee(NodeIndex call) const {
  const auto found = std::lower_bound(by_call_.begin(), by_call_.end(), std::pair(call, 0U));
  if (found != by_call_.end() && found->first == call)
    return module_->name(module_->uses()[found->second].name);
  const NodeIndex function = tree().child(call, Field::kFunction);
  return function == kNoNode ? std::string_view() : module_->resolve(function);
}

const project::Use* Subject::use_at(NodeIndex node) const {
  const auto uses = module_->uses();
  const auto found =
      std::lower_bound(uses.begin(), uses.end(), node,
                       [](const project::Use& use, NodeIndex key) { return use.node < key; });
  return found != uses.end() && found->node == node ? &*found : nullptr;
}

bool Subject::is_imported(NodeIndex expression) const {
  while (expression != kNoNode && tree()[expression].kind == Kind::kAttribute) {
    expression = tree().child(expression, Field::kObject);
  }
  return expression != kNoNode && tree()[expression].kind == Kind::kIdentifier &&
         imported_.contains(text(expression));
}

std::vector<NodeIndex> Subject::children(NodeIndex node) const {
  std::vector<NodeIndex> all;
  for (NodeIndex child = tree().first_child(node); child != kNoNode;
       child = tree().next_sibling(child)) {
    all.push_back(child);
  }
  return all;
}

int Subject::position(NodeIndex node) const {
  constexpr int kMostCounted = 1024;
  int at = 0;
  for (NodeIndex child = tree().first_child(tree()[node].parent); child != node && child != kNoNode;
       child = tree().next_sibling(child)) {
    if (tree()[child].kind != Kind::kComment && ++at == kMostCounted) return kFarPosition;
  }
  return at;
}

std::string_view Subject::between(NodeIndex a, NodeIndex b) const {
  const std::uint32_t begin = tree()[a].end, end = tree()[b].begin;
  return begin < end ? module_->source().text().substr(begin, end - begin) : std::string_view();
}

}  // namespace godwit::port
