// First every test whose ways differ in a CUDA-only library, then every other use of the same flag.
#include "port/kernel_flags.h"

#include <algorithm>
#include <set>

#include "port/extensions.h"

namespace godwit::port {
namespace {

// A variable, an attribute, or an entry of a table.
bool is_name(Kind kind) {
  return kind == Kind::kIdentifier || kind == Kind::kAttribute || kind == Kind::kSubscript;
}

// x.is_cuda is no flag of the project: P008 speaks of it.
bool is_tensor_question(const Subject& subject, NodeIndex name) {
  const NodeIndex last = subject.tree().child(name, Field::kAttribute);
  return last != kNoNode && subject.text(last).starts_with("is_");
}

// `fast` in `fast`, `not fast`, `(fast and x.dim() == 3)`.
void list_names(const Subject& subject, NodeIndex condition, std::vector<NodeIndex>& out) {
  const Kind kind = subject[condition].kind;
  if (is_name(kind) && !is_tensor_question(subject, condition)) out.push_back(condition);
  if (kind != Kind::kNotOperator && kind != Kind::kParenthesized && kind != Kind::kBooleanOperator)
    return;
  for (const NodeIndex child : subject.children(condition)) list_names(subject, child, out);
}

NodeIndex condition_of(const Subject& subject, NodeIndex owner) {
  const Kind kind = subject[owner].kind;
  if (kind == Kind::kIf || kind == Kind::kElif)
    return subject.tree().child(owner, Field::kCondition);
  if (kind != Kind::kConditionalExpression) return kNoNode;
  const auto parts = subject.children(owner);
  return parts.size() == 3 ? parts[1] : kNoNode;
}

bool has_cuda_only(const Subject& subject, const World& world) {
  if (world.extensions.loads(subject)) return true;
  const auto imports = subject.module().imports();
  return std::any_of(imports.begin(), imports.end(), [&](const project::Import& import) {
    return is_cuda_only(subject.module().name(import.target), world);
  });
}

// Names that only introduce: a parameter, the left side, a keyword, the end of a dotted name.
bool is_read(const Subject& subject, NodeIndex node) {
  const NodeIndex up = subject[node].parent;
  if (up == kNoNode) return false;
  switch (subject[up].kind) {
    case Kind::kAttribute: return subject[node].field == Field::kObject;
    case Kind::kAssignment:
    case Kind::kNamedExpression: return subject[node].field == Field::kRight;
    case Kind::kKeywordArgument:
    case Kind::kDefaultParameter:
    case Kind::kTypedDefaultParameter: return subject[node].field == Field::kValue;
    case Kind::kParameters:
    case Kind::kTypedParameter:
    case Kind::kGlobal:
    case Kind::kNonlocal:
    case Kind::kDottedName:
    case Kind::kAliasedImport: return false;
    default: return true;
  }
}

// Anything but True, False and a name: a flag of three values, or one that is computed, is not
// ours to set.
bool is_other_value(Kind kind) {
  return kind == Kind::kString || kind == Kind::kInteger || kind == Kind::kFloat ||
         kind == Kind::kNone || kind == Kind::kComparisonOperator || kind == Kind::kNotOperator ||
         kind == Kind::kBooleanOperator;
}

bool is_passed_on(const Landing& landing) { return landing.where == Landing::Where::kSlots; }

// What a switch asks of the environment is understood as a whole, or not at all.
std::set<NodeIndex> judge_switches(const Subject& subject, World& world) {
  std::set<NodeIndex> known;
  for (const Switch& found : world.switches[subject.index()]) {
    if (found.kind == Switch::Kind::kVariable) known.insert(found.value);
    if (found.kind != Switch::Kind::kUnread) continue;
    for (const SlotId slot : found.slots) {
      if (world.flow.slots().has(slot, Meaning::kKernel)) world.flow.hold(subject, found.value);
    }
  }
  return known;
}

void hold_other_uses(const Subject& subject, World& world) {
  const Slots& slots = world.flow.slots();
  const auto& nodes = subject.tree().nodes();
  const std::set<NodeIndex> known = judge_switches(subject, world);
  for (NodeIndex node = 1; node < nodes.size(); ++node) {
    if (is_name(nodes[node].kind)) {
      if (!slots.has(world.flow.slot(subject, node), Meaning::kKernel) || !is_read(subject, node))
        continue;
      const bool is_known = other_way(subject, node, world).plain != kNoNode ||
                            is_passed_on(world.flow.land(subject, node));
      if (!is_known) world.flow.mark(subject, node, Meaning::kHeld);
    } else if (is_other_value(nodes[node].kind) && !known.contains(node)) {
      const Landing landing = world.flow.land(subject, node);
      const bool is_flag =
          std::any_of(landing.slots.begin(), landing.slots.end(),
                      [&](SlotId slot) { return slots.has(slot, Meaning::kKernel); });
      if (is_flag) world.flow.hold(subject, node);
    }
  }
}

}  // namespace

void for_each_kernel_flag(const Subject& subject, const World& world,
                          const std::function<void(NodeIndex, const OtherWay&)>& visit) {
  if (!has_cuda_only(subject, world)) return;
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    const NodeIndex condition = condition_of(subject, node);
    if (condition == kNoNode) continue;
    std::vector<NodeIndex> names;
    list_names(subject, condition, names);
    for (const NodeIndex name : names) {
      const OtherWay way = other_way(subject, name, world);
      if (way.plain != kNoNode) visit(name, way);
    }
  }
}

bool is_turned_on(const Subject& subject, NodeIndex flag, World& world) {
  const Slots& slots = world.flow.slots();
  const SlotId whole = slots.whole(world.flow.slot(subject, flag));
  if (whole == kNoSlot) return false;
  const auto is_filled = [&](const std::vector<SlotId>& filled) {
    return std::any_of(filled.begin(), filled.end(),
                       [&](SlotId slot) { return slots.whole(slot) == whole; });
  };
  for (const auto& of_module : world.switches) {
    for (const Switch& found : of_module) {
      if (found.kind != Switch::Kind::kPositive && is_filled(found.slots)) return true;
    }
  }
  for (const Subject& each : world.subjects) {
    const auto& nodes = each.tree().nodes();
    for (NodeIndex node = 0; node < nodes.size(); ++node) {
      if (nodes[node].kind != Kind::kTrue) continue;
      if (is_filled(world.flow.land(each, node).slots)) return true;
    }
  }
  return false;
}

bool turns_kernel_on(const Switch& found, const World& world) {
  const Slots& slots = world.flow.slots();
  return std::any_of(found.slots.begin(), found.slots.end(), [&](SlotId slot) {
    return slots.has(slot, Meaning::kKernel) && !slots.has(slot, Meaning::kHeld);
  });
}

void mark_kernel_flags(World& world) {
  bool has_any = false;
  for (const Subject& subject : world.subjects) {
    for_each_kernel_flag(subject, world, [&](NodeIndex flag, const OtherWay&) {
      world.flow.mark(subject, flag, Meaning::kKernel);
      has_any = true;
    });
  }
  if (!has_any) return;
  for (const Subject& subject : world.subjects)
    world.switches.push_back(switches_of(subject, world.flow));
  for (const Subject& subject : world.subjects) hold_other_uses(subject, world);
}

}  // namespace godwit::port
