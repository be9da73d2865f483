// From `for … in x` and `next(x)` back to the DataLoader that x was made of.
#include "port/loader_roles.h"

#include <algorithm>

#include "base/text.h"
#include "port/training_names.h"

namespace godwit::port {
namespace {

bool calls(const Subject& subject, NodeIndex node, std::string_view builtin) {
  if (subject[node].kind != Kind::kCall) return false;
  const NodeIndex function = subject.tree().child(node, Field::kFunction);
  return function != kNoNode && subject[function].kind == Kind::kIdentifier &&
         subject.text(function) == builtin && !subject.binder(builtin, subject.scope_of(function));
}

bool has_own_sampler(const Subject& subject, NodeIndex call) {
  const project::Module& module = subject.module();
  return module.argument(call, "sampler", 3) != kNoNode ||
         module.argument(call, "batch_sampler", 4) != kNoNode;
}

// What is assigned to a name, or to an attribute of self wherever the module does it.
std::vector<NodeIndex> assigned_to(const Subject& subject, NodeIndex place) {
  if (subject[place].kind == Kind::kIdentifier) return values_of(subject, place);
  std::vector<NodeIndex> values;
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    if (nodes[node].kind != Kind::kAssignment) continue;
    const NodeIndex left = subject.tree().child(node, Field::kLeft);
    const NodeIndex right = subject.tree().child(node, Field::kRight);
    if (left != kNoNode && right != kNoNode && subject.text(left) == subject.text(place))
      values.push_back(right);
  }
  return values;
}

// `phase == 'train'` with this variable: the text.
std::optional<std::string_view> compared_with(const Subject& subject, NodeIndex test,
                                              std::string_view variable) {
  if (test == kNoNode || subject[test].kind != Kind::kComparisonOperator) return std::nullopt;
  const std::vector<NodeIndex> sides = subject.children(test);
  if (sides.size() != 2 || trim(subject.between(sides[0], sides[1])) != "==") return std::nullopt;
  if (subject.text(sides[0]) == variable) return subject.module().literal(sides[1]);
  if (subject.text(sides[1]) == variable) return subject.module().literal(sides[0]);
  return std::nullopt;
}

// Every backward pass of the loop stands below `if variable == 'train':`: gives 'train'.
std::optional<std::string_view> trained_key(const Subject& subject, NodeIndex loop,
                                            std::string_view variable) {
  std::optional<std::string_view> key;
  for (NodeIndex node = loop; node < subject[loop].past; ++node) {
    if (subject[node].kind != Kind::kCall || method_of(subject, node) != "backward") continue;
    std::optional<std::string_view> own;
    for (NodeIndex at = node; at != loop && !own; at = subject[at].parent) {
      const NodeIndex up = subject[at].parent;
      if (subject[up].kind == Kind::kIf && subject[at].field == Field::kConsequence)
        own = compared_with(subject, subject.tree().child(up, Field::kCondition), variable);
    }
    if (!own || (key && *key != *own) || contains(*own, "\"") || contains(*own, "\\"))
      return std::nullopt;
    key = own;
  }
  return key;
}

}  // namespace

void LoaderRoles::assign(TrainingProgram& program) {
  list_tables(program);
  for (const bool draws : {false, true}) {
    for (const Subject* const module : program.modules) {
      const auto& nodes = module->tree().nodes();
      for (NodeIndex node = 0; node < nodes.size(); ++node) {
        const Kind kind = nodes[node].kind;
        const bool is_loop = kind == Kind::kFor || kind == Kind::kForInClause;
        if (draws ? !calls(*module, node, "next") : !is_loop) continue;
        if (!is_reached(*module, node)) continue;
        draws ? read_draw(program, *module, node) : read_loop(program, *module, node);
      }
    }
  }
  for (const BatchLoop& loop : program.loops) {
    if (loop.loader != kNoNode) continue;
    const NodeIndex data = loop.subject->tree().child(loop.loop, Field::kRight);
    const NodeIndex at = data == kNoNode ? loop.loop : data;
    const std::string_view name = data == kNoNode ? "next" : loop.subject->text(data);
    program.doubts.push_back({loop.subject, at, "loader", std::string(name)});
  }
  for (Loader& loader : program.loaders) {
    for (const std::string& key : loader.read_keys)
      loader.evaluates = loader.evaluates || key.empty() || key == loader.trained_key;
    if (loader.trains && loader.evaluates)
      program.doubts.push_back({loader.subject, loader.call, "both", {}});
    if (loader.trains && has_own_sampler(*loader.subject, loader.call))
      program.doubts.push_back({loader.subject, loader.call, "sampler", {}});
  }
}

// {'train': DataLoader(…), 'val': DataLoader(…)}, {x: DataLoader(data[x]) for x in …}
void LoaderRoles::list_tables(TrainingProgram& program) {
  held_.clear();
  for (Loader& loader : program.loaders) {
    const Subject& subject = *loader.subject;
    const NodeIndex pair = subject[loader.call].parent;
    if (pair == kNoNode || subject[pair].kind != Kind::kPair) continue;
    const NodeIndex table = subject[pair].parent;
    const std::vector<NodeIndex> sides = subject.children(pair);
    if (sides.size() != 2 || sides[1] != loader.call) continue;
    held_.push_back({.loader = &loader,
                     .tables = flow_.land(subject, table).slots,
                     .key = sides[0],
                     .text = subject.module().literal(sides[0])});
  }
}

void LoaderRoles::read_loop(TrainingProgram& program, const Subject& subject, NodeIndex loop) {
  std::vector<NodeIndex> sources;
  add_sources(subject, subject.tree().child(loop, Field::kRight), 0, sources);
  for (const NodeIndex source : sources) {
    const bool is_known = read_table(subject, source, loop) || take(program, subject, source, loop);
    if (is_known) name_loader(program, subject, loop, source);
  }
}

// `next(x)`, where x = iter(loader), in a batch loop: it trains. Elsewhere it only looks.
void LoaderRoles::read_draw(TrainingProgram& program, const Subject& subject, NodeIndex call) {
  const auto around = loops_around(subject, call);
  const auto loop = std::find_if(around.begin(), around.end(),
                                 [&](NodeIndex each) { return loops_.has(subject, each); });
  const auto arguments = subject.module().arguments(call);
  if (loop == around.end() || arguments.empty()) return;
  std::vector<NodeIndex> values = {arguments[0].value};
  if (is_place(subject, values[0])) values = assigned_to(subject, values[0]);
  for (const NodeIndex value : values) {
    if (!calls(subject, value, "iter")) continue;
    std::vector<NodeIndex> sources;
    for (const project::Argument& argument : subject.module().arguments(value))
      add_sources(subject, argument.value, 1, sources);
    for (const NodeIndex source : sources) {
      if (!take(program, subject, source, *loop)) continue;
      program.iterators.push_back({&subject, value});
      name_loader(program, subject, *loop, source);
    }
  }
}

// loaders[phase], loaders['val']: each loader of the table by its key.
bool LoaderRoles::read_table(const Subject& subject, NodeIndex source, NodeIndex loop) {
  if (subject[source].kind != Kind::kSubscript) return false;
  const NodeIndex index = subject.tree().child(source, Field::kSubscript);
  const NodeIndex table = subject.tree().child(source, Field::kValue);
  if (index == kNoNode || table == kNoNode) return false;
  const bool trains = loops_.has(subject, loop);
  std::optional<std::string_view> key = subject.module().literal(index);
  const bool goes_through_all = !key;
  if (!key && trains) key = trained_key(subject, loop, subject.text(index));
  if (!key && trains) return false;
  const SlotId own = flow_.slot(subject, table);
  bool is_found = false;
  for (Held& held : held_) {
    const bool is_here = std::any_of(held.tables.begin(), held.tables.end(), [&](SlotId slot) {
      return flow_.slots().are_same(slot, own);
    });
    if (!is_here) continue;
    is_found = true;
    Loader& loader = *held.loader;
    const bool is_named = !key || !held.text || *held.text == *key;
    if (!held.text && trains) {
      loader.key = held.key;
      loader.trains = true;
      if (loader.trained_key.empty()) loader.trained_key = *key;
      if (loader.trained_key != *key) loader.evaluates = true;  // two trainings: not told apart
    } else if (!held.text) {
      loader.read_keys.emplace_back(key.value_or(std::string_view()));
    } else if (trains && is_named) {
      loader.trains = true;
    } else if (is_named || goes_through_all) {
      loader.evaluates = true;
    }
  }
  return is_found;
}

bool LoaderRoles::take(TrainingProgram& program, const Subject& subject, NodeIndex source,
                       NodeIndex loop) {
  const bool trains = loops_.has(subject, loop);
  const SlotId own = flow_.slot(subject, source);
  bool is_found = false;
  for (Loader& loader : program.loaders) {
    const bool is_same = loader.subject == &subject && loader.call == source;
    if (!is_same && !is_held(loader, own)) continue;
    is_found = true;
    (trains ? loader.trains : loader.evaluates) = true;
    if (!trains) loader.readers.push_back({&subject, loop});
  }
  return is_found;
}

void LoaderRoles::name_loader(TrainingProgram& program, const Subject& subject, NodeIndex loop,
                              NodeIndex source) {
  for (BatchLoop& known : program.loops) {
    const bool is_this = known.subject == &subject && known.loop == loop;
    if (is_this && known.loader == kNoNode) known.loader = source;
  }
}

// Expressions whose data a loop may go through: the iterated one, what is handed to enumerate,
// tqdm and the like, and what a variable was made of.
void LoaderRoles::add_sources(const Subject& subject, NodeIndex expression, int depth,
                              std::vector<NodeIndex>& out) const {
  if (expression == kNoNode || depth > 3) return;
  out.push_back(expression);
  if (subject[expression].kind == Kind::kCall) {
    for (const project::Argument& argument : subject.module().arguments(expression))
      add_sources(subject, argument.value, depth + 1, out);
  } else if (subject[expression].kind == Kind::kIdentifier) {
    for (const NodeIndex value : values_of(subject, expression)) {
      if (subject[value].kind == Kind::kCall) add_sources(subject, value, depth + 1, out);
    }
  }
}

bool LoaderRoles::is_held(const Loader& loader, SlotId slot) {
  for (const SlotId held : flow_.land(*loader.subject, loader.call).slots) {
    if (flow_.slots().are_same(held, slot)) return true;
  }
  return false;
}

}  // namespace godwit::port
