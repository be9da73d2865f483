// Puts together, per entry script, the loops, loaders, models and optimizers that its run reaches.
#include "port/training.h"

#include <algorithm>

#include "base/text.h"
#include "port/batch_loops.h"
#include "port/card_choice.h"
#include "port/imports.h"
#include "port/loader_roles.h"
#include "port/start_place.h"
#include "port/training_names.h"

namespace godwit::port {
namespace {

class Finder {
 public:
  Finder(const project::Project& project, const std::vector<Subject>& subjects, Flow& flow)
      : subjects_(subjects),
        flow_(flow),
        graph_(subjects, flow),
        loops_(graph_, subjects),
        imports_(project, subjects),
        choice_(subjects, flow) {}

  std::vector<TrainingProgram> find() {
    std::vector<TrainingProgram> programs;
    if (loops_.all().empty() && !has_backward()) return programs;
    for (const Subject& subject : subjects_) {
      if (!imports_.is_program(subject)) continue;
      TrainingProgram made{.entry = &subject, .modules = imports_.reached_from(subject)};
      made.trains = fill(made);
      programs.push_back(std::move(made));
    }
    return programs;
  }

 private:
  bool has_backward() const {
    return std::any_of(loops_.backwards().begin(), loops_.backwards().end(),
                       [](const auto& calls) { return !calls.empty(); });
  }

  // False when the program does not train.
  bool fill(TrainingProgram& program) {
    std::vector<FunctionId> top;
    for (const Subject* const module : program.modules) top.push_back(graph_.top_level(*module));
    reached_ = graph_.reached(top);
    bool trains = false;
    for (FunctionId id = 0; id < graph_.size(); ++id) {
      if (reached_[id]) trains = trains || !loops_.backwards()[id].empty();
    }
    if (!trains) return false;
    add_backwards(program);
    add_uses(program);
    add_loops(program);
    LoaderRoles(flow_, graph_, loops_, reached_).assign(program);
    check_models(program);
    name_models(program);
    for (const Subject* const module : program.modules) choice_.add_doubts(*module, program.doubts);
    add_sums(program);
    program.start = find_start(program);
    if (program.start == kNoNode) doubt(program, *program.entry, 0, "entry");
    return true;
  }

  bool is_reached(const Subject& subject, NodeIndex node) const {
    return reached_[graph_.around(subject, node)];
  }

  void doubt(TrainingProgram& program, const Subject& subject, NodeIndex node,
             std::string_view variant, std::string_view name = {}) const {
    program.doubts.push_back({&subject, node, variant, std::string(name)});
  }

  void add_backwards(TrainingProgram& program) {
    for (FunctionId id = 0; id < graph_.size(); ++id) {
      if (!reached_[id]) continue;
      const Subject& subject = *graph_.site(id).subject;
      for (const NodeIndex call : loops_.backwards()[id]) {
        const auto arguments = subject.module().arguments(call);
        const NodeIndex object =
            subject.tree().child(subject.tree().child(call, Field::kFunction), Field::kObject);
        const bool is_of_library = !arguments.empty() && arguments[0].keyword.empty() &&
                                   subject.module().type_of(object) != project::Type::kTensor;
        if (is_of_library) doubt(program, subject, call, "backward", subject.text(object));
      }
    }
    const bool has_loop = std::any_of(
        loops_.all().begin(), loops_.all().end(),
        [&](const BatchLoops::Loop& loop) { return is_reached(*loop.subject, loop.node); });
    if (!has_loop && !has_step_at_top(program)) {
      const auto [subject, call] = first_backward();
      doubt(program, *subject, call, "loop");
    }
    // The top level of a module runs a step outside of every loop over data.
    for (const Subject* const module : program.modules) {
      if (!loops_.steps()[graph_.top_level(*module)]) continue;
      doubt(program, *module, first_step(*module), "loop");
    }
  }

  bool has_step_at_top(const TrainingProgram& program) const {
    return std::any_of(program.modules.begin(), program.modules.end(), [&](const Subject* module) {
      return loops_.steps()[graph_.top_level(*module)];
    });
  }

  std::pair<const Subject*, NodeIndex> first_backward() const {
    for (FunctionId id = 0; id < graph_.size(); ++id) {
      if (reached_[id] && !loops_.backwards()[id].empty())
        return {graph_.site(id).subject, loops_.backwards()[id].front()};
    }
    return {&subjects_.front(), 0};
  }

  NodeIndex first_step(const Subject& subject) const {
    const FunctionId top = graph_.top_level(subject);
    if (!loops_.backwards()[top].empty()) return loops_.backwards()[top].front();
    for (const CallSite& call : graph_.calls(top)) {
      for (const FunctionId target : call.targets) {
        if (loops_.steps()[target]) return call.call;
      }
    }
    return 0;
  }

  void add_uses(TrainingProgram& program) {
    for (const Subject* const module : program.modules) {
      const Subject& subject = *module;
      for (const project::Use& use : subject.module().uses()) {
        const std::string_view name = subject.module().name(use.name);
        if (!is_reached(subject, use.node)) continue;
        if (name == "torch.distributed.init_process_group") program.is_distributed = true;
        if (use.kind == project::UseKind::kBase && is_parallel(name))
          doubt(program, subject, use.node, "subclass");
        if (use.call == kNoNode) continue;
        if (is_loader(name)) program.loaders.push_back({.subject = &subject, .call = use.call});
        if (is_parallel(name)) program.parallel.push_back({&subject, use.call});
        if (is_optimizer(name)) add_optimizer(program, subject, use.call);
      }
    }
  }

  // Objects whose .parameters() stand below a node.
  std::vector<NodeIndex> models_below(const Subject& subject, NodeIndex node) const {
    std::vector<NodeIndex> models;
    for (NodeIndex at = node; at < subject[node].past; ++at) {
      if (subject[at].kind != Kind::kCall) continue;
      const std::string_view method = method_of(subject, at);
      if (method != "parameters" && method != "named_parameters") continue;
      models.push_back(whole_model(
          subject,
          subject.tree().child(subject.tree().child(at, Field::kFunction), Field::kObject)));
    }
    return models;
  }

  void add_optimizer(TrainingProgram& program, const Subject& subject, NodeIndex call) {
    const NodeIndex first = subject.module().argument(call, "params", 0);
    if (first == kNoNode) return doubt(program, subject, call, "model");
    std::vector<NodeIndex> models = models_below(subject, first);
    if (models.empty() && subject[first].kind == Kind::kIdentifier) {
      for (const NodeIndex value : values_of(subject, first)) {
        for (const NodeIndex model : models_below(subject, value)) models.push_back(model);
      }
    }
    if (models.empty()) return doubt(program, subject, call, "model");
    for (const NodeIndex model : models) {
      if (is_in_parallel(subject, model)) continue;
      program.models.push_back(
          {.subject = &subject, .model = model, .statement = statement_of(subject, call)});
    }
  }

  // DataParallel is put around this model somewhere, before or after.
  bool is_in_parallel(const Subject& subject, NodeIndex model) {
    const SlotId own = flow_.slot(subject, model);
    for (const Subject& other : subjects_) {
      for (const project::Use& use : other.module().uses()) {
        if (use.call == kNoNode || !is_parallel(other.module().name(use.name))) continue;
        for (const SlotId slot : landing_slots(other, use.call)) {
          if (flow_.slots().are_same(slot, own)) return true;
        }
      }
    }
    return false;
  }

  // Where a made object ends up, also behind .to(device) and the like.
  std::vector<SlotId> landing_slots(const Subject& subject, NodeIndex call) {
    NodeIndex at = call;
    for (NodeIndex up = subject[at].parent; up != kNoNode; up = subject[at].parent) {
      const NodeIndex outer = subject[up].parent;
      if (subject[up].kind != Kind::kAttribute || outer == kNoNode ||
          subject[outer].kind != Kind::kCall || subject[up].field != Field::kFunction)
        break;
      at = outer;
    }
    return flow_.land(subject, at).slots;
  }

  void add_loops(TrainingProgram& program) {
    for (const BatchLoops::Loop& loop : loops_.all()) {
      if (!is_reached(*loop.subject, loop.node)) continue;
      BatchLoop made{.subject = loop.subject, .loop = loop.node};
      made.draws = counts_rounds(*loop.subject, loop.node);
      for (const NodeIndex around : loops_around(*loop.subject, loop.node)) {
        const NodeIndex left = loop.subject->tree().child(around, Field::kLeft);
        const bool is_counter = left != kNoNode && counts_rounds(*loop.subject, around) &&
                                (*loop.subject)[left].kind == Kind::kIdentifier;
        if (is_counter) made.epoch = left;
        break;
      }
      program.loops.push_back(made);
    }
  }

  void check_models(TrainingProgram& program) {
    if (program.models.empty() && program.parallel.empty()) {
      const auto [subject, call] = first_backward();
      doubt(program, *subject, call, "model");
    }
    for (const SingleModel& model : program.models) {
      const Subject& subject = *model.subject;
      const std::string_view text = subject.text(model.model);
      if (!is_place(subject, model.model)) {
        doubt(program, subject, model.model, "model", text);
        continue;
      }
      const bool is_variable = subject[model.model].kind == Kind::kIdentifier;
      const ScopeNumber scope = subject.scope_of(model.statement);
      if (is_variable && subject.binder(text, scope) != scope)
        doubt(program, subject, model.model, "scope", text);
      if (!is_called(flow_.slot(subject, model.model)))
        doubt(program, subject, model.model, "uncalled", text);
    }
  }

  // model(batch) stands somewhere: the forward pass goes through the model itself.
  bool is_called(SlotId model) {
    if (called_.empty()) list_called();
    return model != kNoSlot && called_.contains(flow_.slots().whole(model));
  }

  void list_called() {
    for (const Subject& subject : subjects_) {
      const auto& nodes = subject.tree().nodes();
      for (NodeIndex node = 0; node < nodes.size(); ++node) {
        const NodeIndex function = nodes[node].kind == Kind::kCall
                                       ? subject.tree().child(node, Field::kFunction)
                                       : kNoNode;
        if (function != kNoNode && is_place(subject, function))
          called_.insert(flow_.slots().whole(flow_.slot(subject, function)));
      }
    }
  }

  // Losses that add up instead of taking a mean, where a batch is trained with.
  void add_sums(TrainingProgram& program) {
    std::vector<FunctionId> trained;
    for (FunctionId id = 0; id < graph_.size(); ++id) {
      if (reached_[id] && loops_.steps()[id]) trained.push_back(id);
      for (const CallSite& call : graph_.calls(id)) {
        if (!loops_.hold(*graph_.site(id).subject, call.call)) continue;
        trained.insert(trained.end(), call.targets.begin(), call.targets.end());
      }
    }
    const std::vector<bool> trains = graph_.reached(trained);
    for (const Subject* const module : program.modules) {
      const Subject& subject = *module;
      for (const project::Use& use : subject.module().uses()) {
        if (use.call == kNoNode || !is_reached(subject, use.node)) continue;
        if (!sums_up(subject, use)) continue;
        const bool is_function =
            subject.module().name(use.name).starts_with("torch.nn.functional.");
        if (!is_function || loops_.hold(subject, use.node) ||
            trains[graph_.around(subject, use.node)])
          program.sums.push_back({&subject, use.node});
      }
    }
  }

  void name_models(TrainingProgram& program) {
    std::vector<SlotId> trained;
    for (const SingleModel& model : program.models)
      trained.push_back(flow_.slot(*model.subject, model.model));
    for (const Site& site : program.parallel) {
      for (const SlotId slot : landing_slots(*site.subject, site.node)) trained.push_back(slot);
    }
    for (BatchLoop& loop : program.loops) loop.model = model_in(loop, trained);
  }

  NodeIndex model_in(const BatchLoop& loop, const std::vector<SlotId>& trained) {
    const Subject& subject = *loop.subject;
    NodeIndex model = kNoNode;
    for (NodeIndex node = loop.loop; node < subject[loop.loop].past; ++node) {
      if (!is_place(subject, node)) continue;
      const SlotId own = flow_.slot(subject, node);
      const bool is_model = std::any_of(trained.begin(), trained.end(), [&](SlotId slot) {
        return flow_.slots().are_same(slot, own);
      });
      if (!is_model) continue;
      if (model != kNoNode && subject.text(model) != subject.text(node)) return kNoNode;
      model = node;
    }
    return model;
  }

  const std::vector<Subject>& subjects_;
  Flow& flow_;
  CallGraph graph_;
  BatchLoops loops_;
  Imports imports_;
  CardChoice choice_;
  std::vector<bool> reached_;  // by the program at hand
  std::set<SlotId> called_{};  // Slots::whole of all that is called
};

}  // namespace

std::vector<TrainingProgram> find_training(const project::Project& project,
                                           const std::vector<Subject>& subjects, Flow& flow) {
  return Finder(project, subjects, flow).find();
}

}  // namespace godwit::port
