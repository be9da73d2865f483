// Builds the groups of values: one pass lists functions, a second joins what each value passes to.
#include "port/flow.h"

#include "base/text.h"
#include "port/helper_places.h"
#include "port/literals.h"

namespace godwit::port {
namespace {

bool is_atom(Kind kind) {
  return kind == Kind::kIdentifier || kind == Kind::kAttribute || kind == Kind::kSubscript ||
         kind == Kind::kCall;
}

// A loop takes what is in the value, append puts it into something.
bool takes_elements(const Subject& subject, const Landing& landing) {
  if (landing.at == kNoNode) return false;
  const Kind kind = subject[landing.at].kind;
  if (kind == Kind::kFor || kind == Kind::kForInClause) return true;
  const std::string_view callee = kind == Kind::kCall ? subject.callee(landing.at) : "";
  return callee == "zip" || callee == "enumerate" || last_part(callee) == "append";
}

bool is_pattern(Kind kind) { return kind == Kind::kPatternList || kind == Kind::kTuplePattern; }

Meaning meaning_of(Role role) {
  if (role == Role::kBackend) return Meaning::kBackend;
  return role == Role::kTensorType ? Meaning::kNone : Meaning::kDevice;
}

// Methods of texts, lists and tables: a class of the project that has one too is not meant by name.
bool is_builtin_method(std::string_view name) {
  static const std::unordered_set<std::string_view> kNames = {
      "split",    "strip", "lower",  "upper",  "get",       "pop",    "append",  "extend",
      "update",   "items", "keys",   "values", "join",      "format", "replace", "startswith",
      "endswith", "add",   "remove", "insert", "index",     "count",  "copy",    "sort",
      "write",    "read",  "close",  "clear",  "setdefault"};
  return kNames.contains(name);
}

// Methods of modules that give back the module: net = Net().to(device).
bool is_same_object(std::string_view method) {
  return method == "to" || method == "cuda" || method == "npu" || method == "train" ||
         method == "eval" || method == "half" || method == "requires_grad_";
}

// What is as good as the whole: net of net.cuda(), the list of list[0].
NodeIndex passed_on(const Subject& subject, NodeIndex at) {
  const syntax::Tree& tree = subject.tree();
  if (subject[at].kind == Kind::kSubscript) {
    const NodeIndex index = tree.child(at, Field::kSubscript);
    const bool is_element = index != kNoNode && subject[index].kind == Kind::kInteger;
    return is_element ? tree.child(at, Field::kValue) : kNoNode;
  }
  const NodeIndex function = tree.child(at, Field::kFunction);  // none where it is no call
  const bool is_method = function != kNoNode && subject[function].kind == Kind::kAttribute &&
                         is_same_object(last_part(subject.callee(at)));
  return is_method ? tree.child(function, Field::kObject) : kNoNode;
}

}  // namespace

Flow::Flow(const project::Project& project, const std::vector<Subject>& subjects,
           const Positions& positions)
    : project_(project), subjects_(subjects), positions_(positions) {
  list_functions();
  for (const Subject& subject : subjects_) join_all(subject);
}

void Flow::list_functions() {
  for (const Subject& subject : subjects_) {
    const auto& nodes = subject.tree().nodes();
    for (NodeIndex node = 0; node < nodes.size(); ++node) {
      if (nodes[node].kind == Kind::kFunctionDefinition) add_function(subject, node);
      if (nodes[node].kind == Kind::kClassDefinition && subject.scope_of(node) == 0) {
        const std::string_view name = subject.text(subject.tree().child(node, Field::kName));
        classes_.insert(format("{}.{}", subject.module().dotted(), name));
      }
    }
  }
}

void Flow::add_function(const Subject& subject, NodeIndex node) {
  const syntax::Tree& tree = subject.tree();
  const NodeIndex name_node = tree.child(node, Field::kName);
  const NodeIndex parameters = tree.child(node, Field::kParameters);
  if (name_node == kNoNode || parameters == kNoNode) return;
  const ScopeNumber outer = subject.scope_of(node);
  Function made{.subject = &subject, .node = node, .is_method = subject.is_class(outer)};
  for (const NodeIndex child : subject.children(parameters)) {
    const NodeIndex named = tree.child(child, Field::kName);
    const NodeIndex first = tree.first_child(child);
    made.parameters.push_back(subject.text(named != kNoNode   ? named
                                           : first != kNoNode ? first
                                                              : child));
  }
  const std::string_view name = subject.text(name_node);
  const std::size_t id = functions_.size();
  const std::string_view dotted = subject.module().dotted();
  if (outer == 0) by_name_.emplace(format("{}.{}", dotted, name), id);
  if (made.is_method) {
    by_method_[name].push_back(id);
    const NodeIndex owner = subject.tree().child(subject.scope_node(outer), Field::kName);
    const std::string owner_name = format("{}.{}", dotted, subject.text(owner));
    by_name_.emplace(name == "__init__" ? owner_name : format("{}.{}", owner_name, name), id);
  }
  functions_.push_back(std::move(made));
}

SlotId Flow::variable(const Subject& subject, std::string_view name, ScopeNumber from) {
  const auto scope = subject.binder(name, from);
  if (!scope) return kNoSlot;
  if (subject.is_class(*scope)) return attribute(name);
  return slots_.at({.module = subject.index() + 1, .scope = *scope, .name = name});
}

SlotId Flow::parameter(const Function& function, std::string_view name) {
  const Subject& subject = *function.subject;
  return slots_.at(
      {.module = subject.index() + 1, .scope = subject.opened_by(function.node), .name = name});
}

// `item` names one value of several: "1" of `return a, b`.
SlotId Flow::returned(const Function& function, std::string_view item) {
  const Subject& subject = *function.subject;
  return slots_.at({.kind = Slots::Kind::kReturn,
                    .module = subject.index() + 1,
                    .scope = subject.opened_by(function.node),
                    .name = item});
}

std::vector<std::pair<const Subject*, NodeIndex>> Flow::called(const Subject& subject,
                                                               NodeIndex call) const {
  std::vector<std::pair<const Subject*, NodeIndex>> all;
  const auto add = [&](const std::vector<const Function*>& functions) {
    for (const Function* const each : functions) all.emplace_back(each->subject, each->node);
  };
  add(functions_of(subject, call));
  // An object that is called: loss_scaler(loss) runs __call__ of its class, criterion(x) forward.
  const NodeIndex function = subject.tree().child(call, Field::kFunction);
  const std::string_view made =
      all.empty() && function != kNoNode ? subject.module().class_of(function) : "";
  for (const std::string_view method : {"__call__", "forward"}) {
    const auto found = by_name_.find(format("{}.{}", made, method));
    if (!made.empty() && found != by_name_.end()) add({&functions_[found->second]});
  }
  for (const project::Argument& argument : subject.module().arguments(call)) {
    // A function that is handed on (mp.spawn(worker)) is taken to be run. Methods are named too
    // often by what is no method to be followed here.
    if (subject[argument.value].kind != Kind::kIdentifier) continue;
    add(functions_named(subject, argument.value, subject.module().resolve(argument.value)));
  }
  return all;
}

SlotId Flow::option_slot(std::string_view option) {
  std::string name = replace_all(option, "-", "_");
  return attribute(is_frozen_ ? name : options_.emplace_back(std::move(name)));
}

std::vector<const Flow::Function*> Flow::functions_of(const Subject& subject,
                                                      NodeIndex call) const {
  const NodeIndex function = subject.tree().child(call, Field::kFunction);
  if (function == kNoNode) return {};
  return functions_named(subject, function, subject.callee(call));
}

std::vector<const Flow::Function*> Flow::functions_named(const Subject& subject, NodeIndex function,
                                                         std::string_view name) const {
  auto found = by_name_.find(std::string(name));
  // `from .launch import launch`: the function is hidden behind the module of its name.
  if (found == by_name_.end() && project_.find(name)) {
    found = by_name_.find(format("{}.{}", name, last_part(name)));
  }
  if (found == by_name_.end() && subject[function].kind == Kind::kIdentifier) {
    found = by_name_.find(format("{}.{}", subject.module().dotted(), subject.text(function)));
  }
  if (found != by_name_.end()) return {&functions_[found->second]};
  if (subject[function].kind != Kind::kAttribute) return {};
  // A name of an outside package is no method of the project, whatever it is called.
  const bool is_own = is_of_project(name);
  if (!name.empty() && !name.starts_with('.') && !is_own) return {};
  const NodeIndex last = subject.tree().child(function, Field::kAttribute);
  const auto methods = last == kNoNode ? by_method_.end() : by_method_.find(subject.text(last));
  if (methods == by_method_.end() || (!is_own && is_builtin_method(methods->first))) return {};
  std::vector<const Function*> all;
  for (const std::size_t id : methods->second) all.push_back(&functions_[id]);
  return all;
}

bool Flow::is_of_project(std::string_view dotted) const {
  for (std::size_t cut = dotted.rfind('.'); cut != std::string_view::npos;
       cut = dotted.rfind('.')) {
    dotted = dotted.substr(0, cut);
    if (project_.find(dotted)) return true;
  }
  return false;
}

// The variable of another module, or of a class of one: kNoSlot for names of other packages.
SlotId Flow::qualified(std::string_view full) {
  const std::size_t dot = full.rfind('.');
  if (dot == std::string_view::npos) return kNoSlot;
  const std::string_view owner = full.substr(0, dot), name = full.substr(dot + 1);
  if (const project::Module* const origin = project_.find(owner)) {
    const auto index = static_cast<std::size_t>(origin - project_.modules.data());
    return slots_.at({.module = static_cast<std::uint32_t>(index) + 1, .name = name});
  }
  // "models.net.Model.device": attributes are known by name only.
  return is_of_project(owner) ? attribute(name) : kNoSlot;
}

SlotId Flow::subscript_slot(const Subject& subject, NodeIndex subscript) {
  const NodeIndex index = subject.tree().child(subscript, Field::kSubscript);
  if (index == kNoNode) return kNoSlot;
  if (const auto key = subject.module().literal(index)) {
    return slots_.at({.kind = Slots::Kind::kKey, .name = *key});
  }
  return kNoSlot;
}

SlotId Flow::call_slot(const Subject& subject, NodeIndex call) {
  const auto functions = functions_of(subject, call);
  if (functions.size() == 1) return returned(*functions.front());
  const auto arguments = subject.module().arguments(call);
  const std::string_view name = last_part(subject.callee(call));
  if ((name == "get" || name == "pop" || name == "setdefault") && !arguments.empty()) {
    if (const auto key = subject.module().literal(arguments[0].value)) {
      return slots_.at({.kind = Slots::Kind::kKey, .name = *key});
    }
  }
  return kNoSlot;
}

SlotId Flow::slot(const Subject& subject, NodeIndex expression) {
  if (expression == kNoNode) return kNoSlot;
  NodeIndex inner = passed_on(subject, expression);
  for (int steps = 0; inner != kNoNode && steps < 64; ++steps) {  // as far as climb
    if (functions_of(subject, expression).size() == 1) break;
    expression = std::exchange(inner, passed_on(subject, inner));
  }
  const Kind kind = subject[expression].kind;
  if (kind == Kind::kSubscript) return subscript_slot(subject, expression);
  if (kind == Kind::kCall) return call_slot(subject, expression);
  if (kind != Kind::kIdentifier && kind != Kind::kAttribute) return kNoSlot;
  const std::string_view full = subject.module().resolve(expression);
  const bool is_outside = contains(full, ".") && !full.starts_with('.');
  if (is_outside && subject.is_imported(expression)) return qualified(full);
  if (kind == Kind::kIdentifier) {
    return variable(subject, subject.text(expression), subject.scope_of(expression));
  }
  const NodeIndex name = subject.tree().child(expression, Field::kAttribute);
  return name == kNoNode ? kNoSlot : attribute(subject.text(name));
}

void Flow::join_all(const Subject& subject) {
  if (is_helper_text(subject.module().source().bytes())) return;
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = 1; node < nodes.size(); ++node) {
    if (is_atom(nodes[node].kind)) join_value(subject, node);
    if (nodes[node].kind == Kind::kString) join_tested(subject, node);
    if (nodes[node].kind == Kind::kDecoratedDefinition) join_property(subject, node);
  }
}

// What takes `'cuda' if torch.cuda.is_available() else 'cpu'` holds a device, wherever it goes.
void Flow::join_tested(const Subject& subject, NodeIndex string) {
  const auto text = subject.module().literal(string);
  if (!text || !names_cuda_device(*text)) return;
  const Landing landing = land(subject, string);
  if (!landing.is_tested) return;
  for (const SlotId target : landing.slots) slots_.mark(target, Meaning::kDevice);
}

void Flow::join_value(const Subject& subject, NodeIndex value) {
  const Kind kind = subject[value].kind;
  const bool is_call = kind == Kind::kCall;
  bool makes_device = false, makes_backend = false;
  if (is_call) {
    const std::string_view callee = subject.callee(value);
    makes_device = positions_.makes(callee, Role::kDevice);
    makes_backend = positions_.makes(callee, Role::kBackend);
  } else if (kind == Kind::kAttribute) {
    const NodeIndex name = subject.tree().child(value, Field::kAttribute);
    makes_device = name != kNoNode && subject.text(name) == "device";
  }
  if (is_call) join_items(subject, value);
  const Landing landing = land(subject, value);
  if (landing.where != Landing::Where::kSlots && landing.where != Landing::Where::kPosition) return;
  const SlotId own = slot(subject, value);
  if (landing.position) slots_.mark(own, meaning_of(landing.position->role));
  const bool is_element = takes_elements(subject, landing);
  for (const SlotId target : landing.slots) {
    if (is_element) slots_.join_element(target, own);
    if (!is_element) slots_.join(target, own);
    if (makes_device) slots_.mark(target, Meaning::kDevice);
    if (makes_backend) slots_.mark(target, Meaning::kBackend);
  }
}

// `a, b = f()` with `return x, y` in f: a takes x, b takes y.
void Flow::join_items(const Subject& subject, NodeIndex call) {
  const NodeIndex assignment = subject[call].parent;
  if (assignment == kNoNode || subject[assignment].kind != Kind::kAssignment ||
      subject[call].field != Field::kRight)
    return;
  const NodeIndex left = subject.tree().child(assignment, Field::kLeft);
  if (left == kNoNode || !is_pattern(subject[left].kind)) return;
  const auto functions = functions_of(subject, call);
  if (functions.size() != 1) return;
  const std::vector<NodeIndex> targets = subject.children(left);
  for (std::size_t at = 0; at < targets.size() && at < kItems.size(); ++at) {
    slots_.join(slot(subject, targets[at]), returned(*functions.front(), kItems[at]));
  }
}

// `@property def device(self)`: what the method returns is what the attribute gives.
void Flow::join_property(const Subject& subject, NodeIndex decorated) {
  const NodeIndex definition = subject.tree().child(decorated, Field::kDefinition);
  if (definition == kNoNode || subject[definition].kind != Kind::kFunctionDefinition) return;
  for (const NodeIndex child : subject.children(decorated)) {
    if (subject[child].kind != Kind::kDecorator || !contains(subject.text(child), "property"))
      continue;
    const std::string_view name = subject.text(subject.tree().child(definition, Field::kName));
    slots_.join(attribute(name), slots_.at({.kind = Slots::Kind::kReturn,
                                            .module = subject.index() + 1,
                                            .scope = subject.opened_by(definition)}));
  }
}

bool Flow::means(const Subject& subject, NodeIndex expression, Meaning meaning) {
  const syntax::Tree& tree = subject.tree();
  for (NodeIndex at = expression; at != kNoNode;) {
    const SlotId here = slot(subject, at);
    if (slots_.has(here, Meaning::kHeld)) return false;
    if (slots_.has(here, meaning)) return true;
    switch (subject[at].kind) {
      case Kind::kParenthesized: at = tree.first_child(at); break;
      case Kind::kSubscript: at = tree.child(at, Field::kValue); break;
      case Kind::kAttribute: {
        const std::string_view name = subject.text(tree.child(at, Field::kAttribute));
        if (meaning == Meaning::kDevice && name == "device") return true;
        if (name != "type" && name != "lower" && name != "split" && name != "strip") return false;
        at = tree.child(at, Field::kObject);
        break;
      }
      case Kind::kCall: {
        const std::string_view callee = subject.callee(at);
        if (positions_.makes(callee, meaning == Meaning::kDevice ? Role::kDevice : Role::kBackend))
          return true;
        const NodeIndex function = tree.child(at, Field::kFunction);
        const auto arguments = subject.module().arguments(at);
        const bool is_str =
            function != kNoNode && subject.text(function) == "str" && arguments.size() == 1;
        at = is_str ? arguments[0].value : function;
        if (at != kNoNode && !is_str && subject[at].kind != Kind::kAttribute) return false;
        break;
      }
      default: return false;
    }
  }
  return false;
}

bool Flow::is_shown_by_key(std::string_view key, Meaning meaning) {
  const std::string name = replace_all(key.substr(key.rfind('.') + 1), "-", "_");
  const SlotId as_key = slots_.at({.kind = Slots::Kind::kKey, .name = name});
  const SlotId as_attribute = attribute(name);
  if (slots_.has(as_key, Meaning::kHeld) || slots_.has(as_attribute, Meaning::kHeld)) return false;
  return slots_.has(as_key, meaning) || slots_.has(as_attribute, meaning);
}

void Flow::hold(const Subject& subject, NodeIndex literal) {
  for (const SlotId target : land(subject, literal).slots) slots_.mark(target, Meaning::kHeld);
}

bool Flow::is_shown(const Subject& subject, const Landing& landing, NodeIndex value,
                    Meaning meaning) {
  for (const SlotId target : landing.slots) {
    if (slots_.has(target, Meaning::kHeld)) return false;
  }
  if (landing.is_tested && meaning == Meaning::kDevice) return true;
  if (landing.position) return meaning_of(landing.position->role) == meaning;
  for (const SlotId target : landing.slots) {
    if (slots_.has(target, meaning)) return true;
  }
  if (landing.where != Landing::Where::kCompared) return false;
  if (subject[landing.at].kind == Kind::kCall) {  // x.startswith('cuda')
    const NodeIndex function = subject.tree().child(landing.at, Field::kFunction);
    return means(subject, subject.tree().child(function, Field::kObject), meaning);
  }
  for (const NodeIndex operand : subject.children(landing.at)) {
    if (!subject.is_in(value, operand) && means(subject, operand, meaning)) return true;
  }
  return false;
}

}  // namespace godwit::port
