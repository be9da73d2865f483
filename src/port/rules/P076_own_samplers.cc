// Programs that were distributed before: samplers that change what is evaluated, or never
// reshuffle.
#include <algorithm>
#include <iterator>

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

// The functions that read the loader put the parts of all ranks together again.
bool is_gathered(const Loader& loader) {
  constexpr std::string_view kGathering[] = {
      "all_reduce", "all_gather", "all_gather_object", "all_gather_into_tensor",
      "reduce",     "gather",     "gather_object"};
  const auto gathers = [&](const Site& reader) {
    const Subject& subject = *reader.subject;
    const NodeIndex function = subject.tree().ancestor(reader.node, Kind::kFunctionDefinition);
    return std::any_of(subject.module().uses().begin(), subject.module().uses().end(),
                       [&](const project::Use& use) {
                         constexpr std::string_view kModule = "torch.distributed.";
                         const std::string_view name = subject.module().name(use.name);
                         return name.starts_with(kModule) &&
                                (function == kNoNode || subject.is_in(use.node, function)) &&
                                std::find(std::begin(kGathering), std::end(kGathering),
                                          name.substr(kModule.size())) != std::end(kGathering);
                       });
  };
  return !loader.readers.empty() &&
         std::all_of(loader.readers.begin(), loader.readers.end(), gathers);
}

void visit(const Subject& subject, World& world, Changes& changes) {
  if (!world.cards.is_asked()) return;
  std::set<NodeIndex> said;
  for (const TrainingProgram& program : world.cards.programs) {
    if (!program.trains || !program.is_distributed || Cards::is_ported(program)) continue;
    for (const Loader& loader : program.loaders) {
      if (loader.subject != &subject || loader.trains || !loader.evaluates) continue;
      const NodeIndex sampler = subject.module().argument(loader.call, "sampler", 3);
      if (sampler == kNoNode || !said.insert(loader.call).second) continue;
      if (!is_distributed_sampler(subject.module().class_of(sampler))) continue;
      if (is_gathered(loader)) {
        changes.as(diag::Severity::kWarning).leave(subject, sampler, "gathered");
      } else {
        changes.leave(subject, sampler, "evaluation");
      }
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
