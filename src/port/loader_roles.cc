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

// `while True:` around `for batch in loader: yield batch`: neither trains nor evaluates.
bool hands_on_for_ever(const Subject& subject, NodeIndex loop) {
  const NodeIndex body = subject.tree().child(loop, Field::kBody);
  if (body == kNoNode || !contains(subject.text(body), "yield")) return false;
  const std::vector<NodeIndex> around = loops_around(subject, loop);
  return !around.empty() && subject[around.front()].kind == Kind::kWhile;
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
  if (hands_on_for_ever(subject, loop)) return;
  std::vector<NodeIndex> sources;
  add_sources(subject, subject.tree().child(loop, Field::kRight), 0, sources);
  const Site here = {&subject, loop};
  for (const NodeIndex source : sources) {
    const bool is_known = read_table(subject, source, loop) || take(program, subject, source, here);
    if (is_known) name_loader(program, here, source);
  }
  add_cycles(program, subject, loop);
}

// `next(x)`, where x = iter(loader) or cycle(loader), in a batch loop: it trains. Elsewhere it only
// looks.
void LoaderRoles::read_draw(TrainingProgram& program, const Subject& subject, NodeIndex call) {
  const auto arguments = subject.module().arguments(call);
  const std::vector<Site> loops = batch_loops_of(subject, call);
  if (loops.empty() || arguments.empty()) return;
  for (const Site& made : makers_of(program, subject, arguments[0].value)) {
    const Subject& where = *made.subject;
    const bool is_iterator = calls(where, made.node, "iter");
    for (const project::Argument& argument : where.module().arguments(made.node)) {
      std::vector<NodeIndex> sources;
      add_sources(where, argument.value, 1, sources);
      bool trains = false;
      for (const NodeIndex source : sources) {
        for (const Site& loop : loops) {
          if (!take(program, where, source, loop)) continue;
          trains = true;
          name_loader(program, loop, source);
        }
      }
      if (trains && is_iterator) program.iterators.push_back(made);
      if (trains && !is_iterator) program.cycles.push_back({&where, argument.value});
    }
  }
}

// Batch loops that run a node: around it, or else around the calls of its function.
std::vector<Site> LoaderRoles::batch_loops_of(const Subject& subject, NodeIndex node) const {
  std::vector<Site> found;
  const auto add = [&](const Subject& where, NodeIndex inside) {
    for (const NodeIndex loop : loops_around(where, inside)) {
      if (!loops_.has(where, loop)) continue;
      found.push_back({&where, loop});
      return;
    }
  };
  add(subject, node);
  if (!found.empty()) return found;
  const FunctionId own = graph_.around(subject, node);
  for (FunctionId id = 0; id < graph_.size(); ++id) {
    for (const CallSite& call : graph_.calls(id)) {
      if (std::find(call.targets.begin(), call.targets.end(), own) != call.targets.end())
        add(*graph_.site(id).subject, call.call);
    }
  }
  return found;
}

// itertools.cycle(loader), or a generator of the project that goes through its argument for ever.
bool LoaderRoles::is_cycle(const Subject& subject, NodeIndex call) const {
  if (subject[call].kind != Kind::kCall) return false;
  if (subject.callee(call) == "itertools.cycle") return true;
  const NodeIndex function = subject.tree().child(call, Field::kFunction);
  if (function == kNoNode || subject[function].kind != Kind::kIdentifier) return false;
  for (const auto& [owner, definition] : flow_.called(subject, call)) {
    for (NodeIndex node = definition; node < (*owner)[definition].past; ++node) {
      if ((*owner)[node].kind == Kind::kFor && hands_on_for_ever(*owner, node)) return true;
    }
  }
  return false;
}

// Where the iterator was made that next() draws from: here, or where the value comes from.
std::vector<Site> LoaderRoles::makers_of(const TrainingProgram& program, const Subject& subject,
                                         NodeIndex drawn_from) const {
  const auto makes = [&](const Subject& where, NodeIndex node) {
    return calls(where, node, "iter") || is_cycle(where, node);
  };
  if (makes(subject, drawn_from)) return {{&subject, drawn_from}};
  if (!is_place(subject, drawn_from)) return {};
  std::vector<Site> found;
  for (const NodeIndex value : assigned_to(subject, drawn_from)) {
    if (makes(subject, value)) found.push_back({&subject, value});
  }
  const SlotId own = flow_.slot(subject, drawn_from);
  for (const Subject* const module : program.modules) {
    if (!found.empty()) break;
    for (NodeIndex node = 0; node < module->tree().nodes().size(); ++node) {
      if ((*module)[node].kind != Kind::kCall || !makes(*module, node)) continue;
      const std::vector<SlotId> slots = flow_.land(*module, node).slots;
      const bool is_same = std::any_of(slots.begin(), slots.end(), [&](SlotId slot) {
        return flow_.slots().are_same(slot, own);
      });
      if (is_same) found.push_back({module, node});
    }
  }
  return found;
}

// `for x in cycle(loader)` that trains.
void LoaderRoles::add_cycles(TrainingProgram& program, const Subject& subject, NodeIndex loop) {
  const NodeIndex data = subject.tree().child(loop, Field::kRight);
  if (data == kNoNode || !loops_.has(subject, loop)) return;
  for (NodeIndex node = data; node < subject[data].past; ++node) {
    if (!is_cycle(subject, node)) continue;
    for (const project::Argument& argument : subject.module().arguments(node)) {
      if (take(program, subject, argument.value, {&subject, loop}))
        program.cycles.push_back({&subject, argument.value});
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
                       const Site& loop) {
  const bool trains = loops_.has(*loop.subject, loop.node);
  const SlotId own = flow_.slot(subject, source);
  bool is_found = false;
  for (Loader& loader : program.loaders) {
    const bool is_same = loader.subject == &subject && loader.call == source;
    if (!is_same && !is_held(loader, own)) continue;
    is_found = true;
    (trains ? loader.trains : loader.evaluates) = true;
    if (!trains) loader.readers.push_back(loop);
  }
  return is_found;
}

void LoaderRoles::name_loader(TrainingProgram& program, const Site& loop, NodeIndex source) {
  for (BatchLoop& known : program.loops) {
    const bool is_this = known.subject == loop.subject && known.loop == loop.node;
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
