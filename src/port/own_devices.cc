// Two forms are known: the choice as one expression, and `if available: return` with a return
// behind.
#include "port/own_devices.h"

#include <algorithm>

#include "base/text.h"

namespace godwit::port {
namespace {

// "cuda" without a number: what .cuda() means too.
bool is_text(const Subject& subject, NodeIndex node, std::string_view text) {
  const auto literal = subject.module().literal(node);
  return literal && *literal == text;
}

NodeIndex inside_device(const Subject& subject, NodeIndex node) {
  if (subject[node].kind != Kind::kCall || subject.callee(node) != "torch.device") return node;
  const auto arguments = subject.module().arguments(node);
  return arguments.size() == 1 ? arguments[0].value : node;
}

bool asks_for_cuda(const Subject& subject, NodeIndex condition) {
  return subject[condition].kind == Kind::kCall &&
         subject.callee(condition) == "torch.cuda.is_available";
}

bool is_choice(const Subject& subject, NodeIndex node) {
  const NodeIndex inner = inside_device(subject, node);
  if (subject[inner].kind != Kind::kConditionalExpression) return false;
  const auto parts = subject.children(inner);
  return parts.size() == 3 && asks_for_cuda(subject, parts[1]) &&
         is_text(subject, inside_device(subject, parts[0]), "cuda") &&
         is_text(subject, inside_device(subject, parts[2]), "cpu");
}

NodeIndex returned(const Subject& subject, NodeIndex statement) {
  return subject[statement].kind == Kind::kReturn ? subject.tree().first_child(statement) : kNoNode;
}

bool returns_text(const Subject& subject, NodeIndex block, std::string_view text) {
  const auto statements = block == kNoNode ? std::vector<NodeIndex>() : subject.children(block);
  if (statements.size() != 1) return false;
  const NodeIndex value = returned(subject, statements[0]);
  return value != kNoNode && is_text(subject, inside_device(subject, value), text);
}

// if torch.cuda.is_available(): return "cuda" … return "cpu"
bool is_choice_by_returns(const Subject& subject, const std::vector<NodeIndex>& statements) {
  if (statements.empty() || subject[statements[0]].kind != Kind::kIf) return false;
  const syntax::Tree& tree = subject.tree();
  const NodeIndex test = statements[0];
  if (!asks_for_cuda(subject, tree.child(test, Field::kCondition)) ||
      !returns_text(subject, tree.child(test, Field::kConsequence), "cuda"))
    return false;
  if (statements.size() == 2) {
    const NodeIndex value = returned(subject, statements[1]);
    return tree.child(test, Field::kAlternative) == kNoNode && value != kNoNode &&
           is_text(subject, inside_device(subject, value), "cpu");
  }
  const NodeIndex other = tree.child(test, Field::kAlternative);
  return statements.size() == 1 && other != kNoNode && subject[other].kind == Kind::kElse &&
         returns_text(subject, tree.child(other, Field::kBody), "cpu");
}

bool is_choosing_function(const Subject& subject, NodeIndex node) {
  const syntax::Tree& tree = subject.tree();
  const NodeIndex parameters = tree.child(node, Field::kParameters);
  const NodeIndex body = tree.child(node, Field::kBody);
  if (parameters == kNoNode || body == kNoNode || !subject.children(parameters).empty())
    return false;
  auto statements = subject.children(body);
  std::erase_if(statements, [&](NodeIndex each) {
    const NodeIndex first = tree.first_child(each);
    return subject[each].kind == Kind::kComment ||
           (subject[each].kind == Kind::kExpressionStatement && first != kNoNode &&
            subject[first].kind == Kind::kString);
  });
  if (is_choice_by_returns(subject, statements)) return true;
  if (statements.size() != 1) return false;
  const NodeIndex value = returned(subject, statements[0]);
  return value != kNoNode && is_choice(subject, value);
}

// Every place of the module's own scope that could give the name a value, and `global name`.
int count_bindings(const Subject& subject, std::string_view name) {
  int count = 0;
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = 1; node < nodes.size(); ++node) {
    if (nodes[node].kind == Kind::kGlobal && contains(subject.text(node), name)) return 2;
    if (nodes[node].kind != Kind::kIdentifier || subject.text(node) != name ||
        subject.scope_of(node) != 0)
      continue;
    NodeIndex at = node;
    while (subject[subject[at].parent].kind == Kind::kPatternList ||
           subject[subject[at].parent].kind == Kind::kTuplePattern)
      at = subject[at].parent;
    const bool is_target = nodes[at].field == Field::kLeft || nodes[at].field == Field::kAlias ||
                           nodes[at].field == Field::kName;
    const Kind up = nodes[nodes[at].parent].kind;
    const bool is_keyword = up == Kind::kKeywordArgument;
    if ((is_target && !is_keyword) || up == Kind::kAsPatternTarget) ++count;
  }
  return count;
}

}  // namespace

OwnDevices::OwnDevices(const std::vector<Subject>& subjects, Style style) {
  if (style != Style::kPortable) return;
  for (const Subject& subject : subjects) {
    const auto& nodes = subject.tree().nodes();
    for (NodeIndex node = 1; node < nodes.size(); ++node) {
      const Kind kind = nodes[node].kind;
      if ((kind == Kind::kAssignment || kind == Kind::kFunctionDefinition) &&
          subject.scope_of(node) == 0)
        add(subject, node);
    }
  }
}

void OwnDevices::add(const Subject& subject, NodeIndex node) {
  const syntax::Tree& tree = subject.tree();
  const bool is_function = subject[node].kind == Kind::kFunctionDefinition;
  const NodeIndex name = tree.child(node, is_function ? Field::kName : Field::kLeft);
  const NodeIndex value = is_function ? kNoNode : tree.child(node, Field::kRight);
  if (name == kNoNode || subject[name].kind != Kind::kIdentifier) return;
  if (is_function ? !is_choosing_function(subject, node)
                  : value == kNoNode || !is_choice(subject, value))
    return;
  // Under an `if` the name may not be there.
  NodeIndex above = subject[node].parent;
  if (above != kNoNode && subject[above].kind == Kind::kExpressionStatement)
    above = subject[above].parent;
  if (above == kNoNode || subject[above].kind != Kind::kModule) return;
  if (count_bindings(subject, subject.text(name)) != 1) return;
  places_.emplace(format("{}.{}", subject.module().dotted(), subject.text(name)),
                  Place{.subject = &subject, .statement = node, .is_function = is_function});
}

// The name is that of the module's scope, and has its value when the code runs.
bool OwnDevices::sees(const Subject& subject, NodeIndex node, std::string_view name,
                      NodeIndex statement) const {
  if (subject.is_in(node, statement)) return false;
  if (subject.binder(name, subject.scope_of(node)) != std::optional<ScopeNumber>(0)) return false;
  bool runs_later = false;
  for (ScopeNumber scope = subject.scope_of(node); scope != 0; scope = subject.parent(scope))
    runs_later = runs_later || !subject.is_class(scope);
  return runs_later || subject[node].begin > subject[statement].end;
}

// `import config` or `from pkg import config`: config.DEVICE.
std::string OwnDevices::through_module(const Subject& subject, NodeIndex node) const {
  for (const project::Import& import : subject.module().imports()) {
    if (import.is_guarded || import.is_star || import.scope != 0) continue;
    const std::string_view target = subject.module().name(import.target);
    const std::string_view bound = subject.module().name(import.bound);
    for (const auto& [full, place] : places_) {
      const std::size_t dot = full.rfind('.');
      const bool is_owner = std::string_view(full).substr(0, dot) == target &&
                            place.subject->module().dotted() == target;
      if (!is_owner || !sees(subject, node, bound, import.statement)) continue;
      return format("{}{}{}", bound, full.substr(dot), place.is_function ? "()" : "");
    }
  }
  return {};
}

std::string OwnDevices::visible_at(const Subject& subject, NodeIndex node) const {
  const auto call = [](std::string_view name, const Place& place) {
    return place.is_function ? format("{}()", name) : std::string(name);
  };
  for (const auto& [full, place] : places_) {
    const std::string_view name = std::string_view(full).substr(full.rfind('.') + 1);
    if (place.subject == &subject && sees(subject, node, name, place.statement))
      return call(name, place);
  }
  const std::string through = through_module(subject, node);
  if (!through.empty()) return through;
  for (const project::Import& import : subject.module().imports()) {
    const auto found = places_.find(subject.module().name(import.target));
    if (found == places_.end() || import.is_guarded || import.is_star || import.scope != 0)
      continue;
    const std::string_view name = subject.module().name(import.bound);
    if (sees(subject, node, name, import.statement)) return call(name, found->second);
  }
  return {};
}

}  // namespace godwit::port
