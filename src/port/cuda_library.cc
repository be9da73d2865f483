// The condition and its branch are searched for names imported from such a library, and so are
// those of a flag that keeps the test.
#include "port/cuda_library.h"

#include <optional>
#include <set>

#include "base/text.h"
#include "facts/libraries.h"
#include "port/extensions.h"
#include "port/reads.h"
#include "port/rule.h"

namespace godwit::port {
namespace {

NodeIndex enclosing_try(const Subject& subject, NodeIndex node) {
  while (node != kNoNode && subject[node].kind != Kind::kTry) node = subject[node].parent;
  return node;
}

// Names that say whether such a library is there: its own, and HAS_FLASH in
// `try: from flash_attn import f; HAS_FLASH = True`.
std::set<std::string_view> presence_names(const Subject& subject, const World& world) {
  std::set<std::string_view> names;
  const syntax::Tree& tree = subject.tree();
  const auto add_try = [&](NodeIndex inside) {
    const NodeIndex attempt = enclosing_try(subject, inside);
    if (attempt == kNoNode) return;
    for (NodeIndex node = attempt; node < tree[attempt].past; ++node) {
      const NodeIndex left =
          tree[node].kind == Kind::kAssignment ? tree.child(node, Field::kLeft) : kNoNode;
      if (left != kNoNode) names.insert(subject.text(left));
    }
  };
  for (const project::Import& import : subject.module().imports()) {
    if (import.node == kNoNode || !is_cuda_only(subject.module().name(import.target), world))
      continue;
    names.insert(subject.module().name(import.bound));
    add_try(import.node);
  }
  if (!world.extensions.loads(subject)) return names;
  for (NodeIndex node = 0; node < tree.nodes().size(); ++node) {
    if (tree[node].field != Field::kLeft || !world.extensions.is_loaded(subject, node)) continue;
    names.insert(subject.text(node));
    add_try(node);
  }
  return names;
}

// Below `part`, the use is tried only, or runs only where a test found the library.
bool is_guarded(const Subject& subject, NodeIndex use, NodeIndex part,
                const std::set<std::string_view>& presence) {
  for (NodeIndex at = subject[use].parent; at != kNoNode && at != part; at = subject[at].parent) {
    if (subject[at].kind == Kind::kTry) return true;
    const NodeIndex condition = subject.tree().child(at, Field::kCondition);
    if (condition == kNoNode || subject.is_in(use, condition)) continue;
    for (NodeIndex node = condition; node < subject[condition].past; ++node) {
      if (subject[node].kind == Kind::kIdentifier && presence.contains(subject.text(node)))
        return true;
    }
  }
  return false;
}

// What the branch uses of an extension that the module itself compiles.
std::string_view loaded_in(const Subject& subject, NodeIndex part, const World& world) {
  if (!world.extensions.loads(subject)) return {};
  std::optional<std::set<std::string_view>> presence;
  for (NodeIndex node = part; node < subject[part].past; ++node) {
    if (!world.extensions.is_loaded(subject, node)) continue;
    if (!presence) presence = presence_names(subject, world);
    if (!is_guarded(subject, node, part, *presence)) return subject.text(node);
  }
  return {};
}

std::string_view library_in(const Subject& subject, NodeIndex part, const World& world) {
  if (part == kNoNode) return {};
  std::optional<std::set<std::string_view>> presence;
  for (const project::Use& use : subject.module().uses()) {
    const std::string_view name = subject.module().name(use.name);
    if (!subject.is_in(use.node, part) || !is_cuda_only(name, world)) continue;
    if (!presence) presence = presence_names(subject, world);
    if (is_guarded(subject, use.node, part, *presence)) continue;
    const std::string_view extension = world.extensions.find(name);
    return extension.empty() ? name.substr(0, name.find('.')) : extension;
  }
  return loaded_in(subject, part, world);
}

bool is_condition_part(Kind kind) {
  return kind == Kind::kBooleanOperator || kind == Kind::kNotOperator ||
         kind == Kind::kParenthesized || kind == Kind::kComparisonOperator ||
         kind == Kind::kAttribute || kind == Kind::kCall || kind == Kind::kArgumentList;
}

bool leaves(const Subject& subject, NodeIndex body) {
  const auto statements = subject.children(body);
  if (statements.empty()) return false;
  const Kind last = subject[statements.back()].kind;
  return last == Kind::kReturn || last == Kind::kRaise;
}

// `if not x.is_cuda: return slow(x)`: what follows runs where the condition is false.
std::vector<NodeIndex> statements_after(const Subject& subject, NodeIndex owner) {
  std::vector<NodeIndex> after;
  const NodeIndex body = subject.tree().child(owner, Field::kConsequence);
  if (body == kNoNode || subject[owner].kind != Kind::kIf || !leaves(subject, body)) return after;
  for (NodeIndex next = subject.tree().next_sibling(owner); next != kNoNode;
       next = subject.tree().next_sibling(next))
    after.push_back(next);
  return after;
}

// What runs where the condition is true, or where it is false after `not` and `!=`.
std::vector<NodeIndex> branches_of(const Subject& subject, NodeIndex condition, bool is_negated) {
  const NodeIndex owner = subject[condition].parent;
  if (owner == kNoNode) return {};
  if (subject[owner].kind == Kind::kConditionalExpression && subject.position(condition) == 1)
    return {subject.children(owner)[is_negated ? 2 : 0]};
  if (subject[condition].field != Field::kCondition) return {};
  if (!is_negated) return {subject.tree().child(owner, Field::kConsequence)};
  std::vector<NodeIndex> branches = statements_after(subject, owner);
  for (const NodeIndex child : subject.children(owner)) {
    if (subject[child].field == Field::kAlternative) branches.push_back(child);
  }
  return branches;
}

// `!=` or `not in` between the two sides.
bool is_unequal(const Subject& subject, NodeIndex comparison) {
  const auto sides = subject.children(comparison);
  if (sides.size() < 2) return false;
  const std::string_view sign = trim(subject.between(sides[0], sides[1]));
  return sign == "!=" || sign.starts_with("not");
}

struct Condition {
  NodeIndex top;
  bool is_negated;
};

Condition condition_of(const Subject& subject, NodeIndex test) {
  Condition condition{.top = test, .is_negated = false};
  while (true) {
    const Kind kind = subject[condition.top].kind;
    if (kind == Kind::kNotOperator ||
        (kind == Kind::kComparisonOperator && is_unequal(subject, condition.top)))
      condition.is_negated = !condition.is_negated;
    const NodeIndex up = subject[condition.top].parent;
    if (up == kNoNode || !is_condition_part(subject[up].kind)) return condition;
    condition.top = up;
  }
}

std::string_view library_in(const Subject& subject, const std::vector<NodeIndex>& branches,
                            const World& world) {
  for (const NodeIndex branch : branches) {
    const std::string_view library = library_in(subject, branch, world);
    if (!library.empty()) return library;
  }
  return {};
}

std::string_view library_behind(const Subject& subject, const Condition& condition,
                                const World& world) {
  const std::string_view beside = library_in(subject, condition.top, world);
  if (!beside.empty()) return beside;
  return library_in(subject, branches_of(subject, condition.top, condition.is_negated), world);
}

// `raise`, also as the only statement of a block or of `else:`.
bool only_raises(const Subject& subject, NodeIndex branch) {
  for (NodeIndex at = branch; at != kNoNode; at = subject.tree().first_child(at)) {
    const Kind kind = subject[at].kind;
    if (kind == Kind::kRaise) return true;
    if (kind != Kind::kElse && kind != Kind::kBlock) return false;
  }
  return true;
}

}  // namespace

bool is_cuda_only(std::string_view name, const World& world) {
  if (name.starts_with("torch.") || name.starts_with('.')) return false;
  if (!world.extensions.find(name).empty()) return true;
  const auto library = facts::find_library(name, world.soc);
  return library && *library && (*library)->on_soc == facts::Flag::kNo;
}

OtherWay other_way(const Subject& subject, NodeIndex flag, const World& world) {
  const Condition condition = condition_of(subject, flag);
  if (contains(subject.text(condition.top), " or ")) return {};
  const auto ways = branches_of(subject, condition.top, condition.is_negated);
  const auto others = branches_of(subject, condition.top, !condition.is_negated);
  if (ways.empty() || others.empty() || only_raises(subject, others.front())) return {};
  const std::string_view library = library_in(subject, ways, world);
  if (library.empty() || !library_in(subject, others, world).empty()) return {};
  if (presence_names(subject, world).contains(subject.text(flag))) return {};
  return {.library = library, .plain = others.front()};
}

std::string_view guarded_library(const Subject& subject, NodeIndex test, const World& world) {
  const Condition condition = condition_of(subject, test);
  const std::string_view here = library_behind(subject, condition, world);
  const NodeIndex flag = flag_of(subject, condition.top);
  if (!here.empty() || flag == kNoNode) return here;
  for (const NodeIndex read : reads_of(subject, flag)) {
    Condition again = condition_of(subject, read);
    again.is_negated = again.is_negated != condition.is_negated;
    const std::string_view library = library_behind(subject, again, world);
    if (!library.empty()) return library;
  }
  return {};
}

}  // namespace godwit::port
