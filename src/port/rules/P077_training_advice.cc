// What several cards change about a training and no edit may decide: batch, learning rate, sums,
// statistics of batches, what is printed.
#include "base/text.h"
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

using diag::Severity;

bool is_batch_norm(std::string_view name) {
  return name.starts_with("torch.nn.BatchNorm") || name.starts_with("torch.nn.modules.batchnorm.");
}

void say_places(const Subject& subject, World& world, Changes& changes) {
  bool has_norm = false;
  for (const project::Use& use : subject.module().uses()) {
    const std::string_view name = subject.module().name(use.name);
    if (use.call == kNoNode || !is_batch_norm(name) || has_norm) continue;
    has_norm = true;
    changes.as(Severity::kNote)
        .leave(subject, use.node, world.cards.sync_batchnorm ? "norm_shared" : "norm");
  }
}

void visit(const Subject& subject, World& world, Changes& changes) {
  if (!world.cards.has(subject)) return;
  say_places(subject, world, changes);
  const Args args = {{"cards", std::to_string(world.cards.count)}};
  std::set<NodeIndex> said;
  for (const TrainingProgram& program : world.cards.programs) {
    for (const Site& sum : program.sums) {
      if (sum.subject == &subject && world.cards.takes(program) && said.insert(sum.node).second)
        changes.as(Severity::kError).leave(subject, sum.node, "sum");
    }
    if (program.entry != &subject || !world.cards.takes(program)) continue;
    changes.as(Severity::kNote).leave(subject, program.start, "batch", args);
    changes.as(Severity::kWarning).leave(subject, program.start, "printed", args);
  }
}

}  // namespace

extern const Rule training_advice = {
    .code = "P077",
    .severity = diag::Severity::kWarning,
    .module = visit,
};

}  // namespace godwit::port::rules
