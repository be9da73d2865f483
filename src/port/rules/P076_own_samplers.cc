// Programs that were distributed before: samplers that change what is evaluated, or never
// reshuffle.
#include <algorithm>

#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

bool is_distributed_sampler(std::string_view name) {
  return name.starts_with("torch.utils.data.") && name.ends_with(".DistributedSampler");
}

bool is_told_the_epoch(const TrainingProgram& program) {
  for (const Subject* const module : program.modules) {
    for (const project::Use& use : module->module().uses()) {
      if (module->module().name(use.name).ends_with(".set_epoch")) return true;
    }
  }
  return false;
}

void visit(const Subject& subject, World& world, Changes& changes) {
  std::set<NodeIndex> said;
  for (const TrainingProgram& program : world.cards.programs) {
    if (!program.trains || !program.is_distributed || Cards::is_ported(program)) continue;
    for (const Loader& loader : program.loaders) {
      if (loader.subject != &subject || loader.trains || !loader.evaluates) continue;
      const NodeIndex sampler = subject.module().argument(loader.call, "sampler", 3);
      if (sampler == kNoNode || !said.insert(loader.call).second) continue;
      if (is_distributed_sampler(subject.module().class_of(sampler)))
        changes.leave(subject, sampler, "evaluation");
    }
    const auto& modules = program.modules;
    const bool is_part = std::find(modules.begin(), modules.end(), &subject) != modules.end();
    if (!is_part || is_told_the_epoch(program)) continue;
    for (const project::Use& use : subject.module().uses()) {
      const bool makes =
          use.call != kNoNode && is_distributed_sampler(subject.module().name(use.name));
      if (makes && said.insert(use.call).second) changes.leave(subject, use.node, "epoch");
    }
  }
}

}  // namespace

extern const Rule own_samplers = {
    .code = "P076",
    .severity = diag::Severity::kError,
    .module = visit,
};

}  // namespace godwit::port::rules
