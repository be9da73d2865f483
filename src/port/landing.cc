// Where a value lands: climbs from a literal or name to the expression it is part of, and on.
#include "port/flow.h"

#include "base/text.h"
#include "port/switches.h"

namespace godwit::port {
namespace {

// Methods of a text whose result still names the same device.
bool keeps_meaning(std::string_view method) {
  return method == "format" || method == "lower" || method == "strip" || method == "split";
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  for (const std::string_view known : names) {
    if (name == known) return true;
  }
  return false;
}

// mp.spawn(worker, args=(a, b)): the call, when the tuple holds the arguments of another function.
NodeIndex spawn_of(const Subject& subject, NodeIndex tuple) {
  const NodeIndex keyword = subject[tuple].parent;
  if (keyword == kNoNode || subject[keyword].kind != Kind::kKeywordArgument) return kNoNode;
  const NodeIndex name = subject.tree().child(keyword, Field::kName);
  if (name == kNoNode || subject.text(name) != "args") return kNoNode;
  return subject[subject[keyword].parent].parent;
}

}  // namespace

// The expression one level up whose value is made of this one, or kNoNode.
NodeIndex Flow::step(const Subject& subject, NodeIndex at) const {
  const syntax::Tree& tree = subject.tree();
  const NodeIndex parent = subject[at].parent;
  if (parent == kNoNode) return kNoNode;
  switch (subject[parent].kind) {
    case Kind::kParenthesized:
    case Kind::kBooleanOperator:
    case Kind::kList:
    case Kind::kSet: return parent;
    case Kind::kTuple: return spawn_of(subject, parent) == kNoNode ? parent : kNoNode;
    case Kind::kListComprehension:
    case Kind::kSetComprehension:
    case Kind::kGeneratorExpression: return subject[at].field == Field::kBody ? parent : kNoNode;
    case Kind::kConditionalExpression: return subject.position(at) == 1 ? kNoNode : parent;
    case Kind::kBinaryOperator: {
      // ["cpu"] + ["cuda"] is a list like its parts; "prefix" + device is no device.
      const bool is_list = subject[at].kind == Kind::kList || subject[at].kind == Kind::kTuple;
      if (is_list) return parent;
      if (subject[at].field != Field::kLeft) return kNoNode;
      const NodeIndex right = tree.child(parent, Field::kRight);
      const std::string_view sign = right == kNoNode ? "" : trim(subject.between(at, right));
      return sign == "+" || sign == "%" ? parent : kNoNode;
    }
    case Kind::kConcatenatedString: return subject.position(at) == 0 ? parent : kNoNode;
    case Kind::kInterpolation: {
      const bool is_first = subject.position(parent) == 1;  // behind the opening quote
      return is_first && subject.position(at) == 0 ? subject[parent].parent : kNoNode;
    }
    case Kind::kSubscript:
      return subject[at].field == Field::kValue &&
                     !subject.module().literal(tree.child(parent, Field::kSubscript))
                 ? parent
                 : kNoNode;
    case Kind::kAttribute: {
      if (subject[at].field != Field::kObject) return kNoNode;
      const std::string_view name = subject.text(tree.child(parent, Field::kAttribute));
      if (name == "type") return parent;
      const NodeIndex call = subject[parent].parent;
      const bool is_called = call != kNoNode && subject[call].kind == Kind::kCall &&
                             subject[parent].field == Field::kFunction;
      return keeps_meaning(name) && is_called ? call : kNoNode;
    }
    case Kind::kArgumentList: {
      const NodeIndex call = subject[parent].parent;
      const NodeIndex function = tree.child(call, Field::kFunction);
      if (function == kNoNode) return kNoNode;
      const std::string_view name = subject.text(function);
      if (name == "str") return call;
      // The default of a look-up is one of its results.
      const int index = subject.position(at);
      if (name == "getattr") return index == 2 ? call : kNoNode;
      const bool is_lookup = is_one_of(last_part(name), {"get", "getenv", "pop", "setdefault"}) &&
                             name != last_part(name);
      return is_lookup && index == 1 ? call : kNoNode;
    }
    default: return kNoNode;
  }
}

Flow::Climb Flow::climb(const Subject& subject, NodeIndex value) const {
  Climb reached{.top = value, .is_tested = false};
  // No text that a person wrote is deeper; generated chains of thousands would take squared time.
  constexpr int kMostSteps = 64;
  NodeIndex next = step(subject, value);
  for (int steps = 0; next != kNoNode && steps < kMostSteps; ++steps, next = step(subject, next)) {
    if (subject[next].kind == Kind::kConditionalExpression) {
      const auto parts = subject.children(next);
      const std::string_view test = parts.size() > 1 ? subject.text(parts[1]) : std::string_view();
      reached.is_tested = reached.is_tested || contains(test, "cuda.is_available");
    }
    reached.top = next;
  }
  return reached;
}

Landing Flow::land(const Subject& subject, NodeIndex value) {
  const auto [top, is_tested] = climb(subject, value);
  const syntax::Tree& tree = subject.tree();
  const NodeIndex parent = subject[top].parent;
  Landing landing{.top = top, .at = parent, .is_tested = is_tested};
  if (parent == kNoNode) return landing;
  const Field field = subject[top].field;
  switch (subject[parent].kind) {
    case Kind::kAssignment:
      if (field == Field::kRight) land_assignment(subject, landing, parent);
      break;
    case Kind::kExpressionList: {
      const NodeIndex up = subject[parent].parent;
      const auto item = static_cast<std::size_t>(subject.position(top));
      if (up != kNoNode && subject[up].kind == Kind::kReturn && item < kItems.size()) {
        landing.where = Landing::Where::kSlots;
        landing.slots = {slots_.at({.kind = Slots::Kind::kReturn,
                                    .module = subject.index() + 1,
                                    .scope = subject.scope_of(up),
                                    .name = kItems[item]})};
        break;
      }
      const NodeIndex left = up == kNoNode ? kNoNode : tree.child(up, Field::kLeft);
      if (left == kNoNode || subject[up].kind != Kind::kAssignment || left == parent) break;
      if (item == Subject::kFarPosition) break;
      const auto targets = subject.children(left);
      const auto at = static_cast<std::size_t>(subject.position(top));
      if (at < targets.size() && targets.size() == subject.children(parent).size()) {
        landing.where = Landing::Where::kSlots;
        landing.slots = {slot(subject, targets[at])};
      }
      break;
    }
    case Kind::kNamedExpression:
    case Kind::kDefaultParameter:
    case Kind::kTypedDefaultParameter: {
      if (field != Field::kValue) break;
      const NodeIndex name = tree.child(parent, Field::kName);
      landing.where = Landing::Where::kSlots;
      landing.name = subject.text(name);
      landing.slots = {variable(subject, subject.text(name), subject.scope_of(name))};
      break;
    }
    case Kind::kKeywordArgument: {
      if (field != Field::kValue) break;
      const NodeIndex call = subject[subject[parent].parent].parent;
      land_argument(subject, landing, call, subject.text(tree.child(parent, Field::kName)), -1);
      break;
    }
    case Kind::kArgumentList:
      if (subject[subject[parent].parent].kind == Kind::kCall) {
        land_argument(subject, landing, subject[parent].parent, {}, subject.position(top));
      }
      break;
    case Kind::kReturn: {
      ScopeNumber scope = subject.scope_of(parent);
      landing.where = Landing::Where::kSlots;
      landing.slots = {
          slots_.at({.kind = Slots::Kind::kReturn, .module = subject.index() + 1, .scope = scope})};
      break;
    }
    case Kind::kFor:
    case Kind::kForInClause: {
      const NodeIndex left = tree.child(parent, Field::kLeft);
      if (field != Field::kRight || left == kNoNode) break;
      landing.where = Landing::Where::kSlots;
      landing.name = subject.text(left);
      landing.slots = {slot(subject, left)};
      break;
    }
    case Kind::kComparisonOperator: landing.where = Landing::Where::kCompared; break;
    case Kind::kPair: {
      const NodeIndex key = tree.child(parent, Field::kKey);
      landing.where = Landing::Where::kKey;
      if (field != Field::kValue || key == kNoNode) break;
      const auto name = subject.module().literal(key);
      if (!name) break;
      landing.where = Landing::Where::kSlots;
      landing.name = *name;
      landing.slots = {slots_.at({.kind = Slots::Kind::kKey, .name = *name})};
      break;
    }
    case Kind::kTuple:
      land_spawned(subject, landing, spawn_of(subject, parent), subject.position(top));
      break;
    case Kind::kSubscript: landing.where = Landing::Where::kKey; break;
    default: break;
  }
  std::erase(landing.slots, kNoSlot);
  return landing;
}

void Flow::land_assignment(const Subject& subject, Landing& landing, NodeIndex assignment) {
  landing.where = Landing::Where::kSlots;
  // a = b = value: every target takes it.
  for (NodeIndex at = assignment; at != kNoNode && subject[at].kind == Kind::kAssignment;
       at = subject[at].parent) {
    const NodeIndex left = subject.tree().child(at, Field::kLeft);
    if (left == kNoNode) continue;
    landing.name = subject.text(left);
    landing.slots.push_back(slot(subject, left));
  }
}

void Flow::land_argument(const Subject& subject, Landing& landing, NodeIndex call,
                         std::string_view keyword, int index) {
  if (call == kNoNode || subject[call].kind != Kind::kCall) return;
  landing.at = call;
  const NodeIndex function = subject.tree().child(call, Field::kFunction);
  std::string_view callee = subject.callee(call);
  // functools.partial(f, device='cuda') passes to f.
  if (last_part(callee) == "partial" && !keyword.empty()) {
    const auto arguments = subject.module().arguments(call);
    if (!arguments.empty()) callee = subject.module().resolve(arguments[0].value);
  }
  landing.name = !callee.empty()       ? callee
                 : function == kNoNode ? std::string_view()
                                       : subject.text(function);
  landing.position = positions_.find(callee, keyword, index);
  landing.where = landing.position ? Landing::Where::kPosition : Landing::Where::kForeign;
  if (landing.position && !callee.starts_with('.')) return;
  if (land_special(subject, landing, call, callee, keyword, index)) return;
  land_parameters(subject, landing, call, keyword, index);
}

// Command-line options, comparisons by method, and calls that only name their values.
bool Flow::land_special(const Subject& subject, Landing& landing, NodeIndex call,
                        std::string_view callee, std::string_view keyword, int index) {
  const std::string_view method = last_part(callee);
  const NodeIndex function = subject.tree().child(call, Field::kFunction);
  if (is_one_of(method, {"startswith", "endswith", "count", "index", "find"}) && index == 0 &&
      function != kNoNode && subject[function].kind == Kind::kAttribute) {
    landing.where = Landing::Where::kCompared;
    return true;
  }
  if (method == "zip" || method == "enumerate") {
    return land_loop(subject, landing, call, method == "zip" ? index : 1);
  }
  const bool is_append = callee == ".append" || callee == "list.append";
  if (is_append && index == 0 && function != kNoNode) {
    landing.where = Landing::Where::kSlots;
    landing.slots = {slot(subject, subject.tree().child(function, Field::kObject))};
    return true;
  }
  const bool is_option = method == "add_argument" || method == "option";
  if (is_option && is_one_of(keyword, {"default", "choices", "const", "type"})) {
    const std::string_view option = option_of(subject, call);
    if (option.empty()) return false;
    landing.where = Landing::Where::kSlots;
    landing.name = option;
    landing.slots = {option_slot(option)};
    return true;
  }
  if (!keyword.empty() &&
      is_one_of(method, {"set_defaults", "Namespace", "SimpleNamespace", "EasyDict"})) {
    landing.where = Landing::Where::kSlots;
    landing.slots = {attribute(keyword)};
    return true;
  }
  if (!keyword.empty() && method == "dict") {
    landing.where = Landing::Where::kSlots;
    landing.slots = {slots_.at({.kind = Slots::Kind::kKey, .name = keyword})};
    return true;
  }
  return false;
}

// `for a, b in zip(x, y)`: a is an element of x; `for i, a in enumerate(x)`.
bool Flow::land_loop(const Subject& subject, Landing& landing, NodeIndex call, int index) {
  const NodeIndex loop = subject[call].parent;
  const NodeIndex left = loop == kNoNode ? kNoNode : subject.tree().child(loop, Field::kLeft);
  if (left == kNoNode || subject[call].field != Field::kRight || index < 0) return false;
  const auto targets = subject.children(left);
  const auto at = static_cast<std::size_t>(index);
  if (subject[left].kind == Kind::kIdentifier || at >= targets.size()) return false;
  landing.where = Landing::Where::kSlots;
  landing.slots = {slot(subject, targets[at])};
  return true;
}

// The worker of mp.spawn takes the rank first, then what the tuple holds.
void Flow::land_spawned(const Subject& subject, Landing& landing, NodeIndex call, int index) {
  landing.where = Landing::Where::kForeign;
  if (call == kNoNode) return;
  landing.name = subject.callee(call);
  const std::string_view method = last_part(landing.name);
  const bool is_spawn = method == "spawn" || method == "start_processes";
  const NodeIndex worker = is_spawn ? subject.module().argument(call, "fn", 0)
                                    : subject.module().argument(call, "target", 1);
  if (worker == kNoNode) return;
  for (const Function* const function :
       functions_named(subject, worker, subject.module().resolve(worker))) {
    const auto at = static_cast<std::size_t>(index + (is_spawn ? 1 : 0));
    if (at < function->parameters.size())
      landing.slots.push_back(parameter(*function, function->parameters[at]));
  }
  if (!landing.slots.empty()) landing.where = Landing::Where::kSlots;
}

void Flow::land_parameters(const Subject& subject, Landing& landing, NodeIndex call,
                           std::string_view keyword, int index) {
  const NodeIndex callee_node = subject.tree().child(call, Field::kFunction);
  for (const Function* const function : functions_of(subject, call)) {
    const auto& names = function->parameters;
    const bool has_self =
        function->is_method && !names.empty() && (names[0] == "self" || names[0] == "cls");
    const std::size_t shift = has_self ? 1 : 0;
    if (!keyword.empty()) {
      for (const std::string_view name : names) {
        if (name == keyword) landing.slots.push_back(parameter(*function, name));
      }
    } else if (index >= 0 && static_cast<std::size_t>(index) + shift < names.size()) {
      landing.slots.push_back(parameter(*function, names[static_cast<std::size_t>(index) + shift]));
    }
  }
  // A data class takes its fields by keyword.
  if (landing.slots.empty() && !keyword.empty() && callee_node != kNoNode) {
    const std::string_view full = subject.callee(call);
    const std::string local = format("{}.{}", subject.module().dotted(), subject.text(callee_node));
    if (classes_.contains(std::string(full)) || classes_.contains(local)) {
      landing.slots.push_back(attribute(keyword));
    }
  }
  if (!landing.slots.empty()) landing.where = Landing::Where::kSlots;
}

bool Flow::is_held(const Subject& subject, const Landing& landing, NodeIndex value) {
  for (const SlotId target : landing.slots) {
    if (slots_.has(target, Meaning::kHeld)) return true;
  }
  if (landing.where != Landing::Where::kCompared) return false;
  for (const NodeIndex operand : subject.children(landing.at)) {
    if (subject.is_in(value, operand)) continue;
    if (slots_.has(slot(subject, operand), Meaning::kHeld)) return true;
  }
  return false;
}

}  // namespace godwit::port
