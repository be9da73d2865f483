// What several cards change about a training and no edit may decide: batch, learning rate, sums,
// statistics of batches, what is printed.
#include "base/text.h"
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

using diag::Severity;

// Gradients are averaged over cards: right for a mean over a batch, too small for a sum.
bool sums_up(const Subject& subject, const project::Use& use) {
  const std::string_view name = subject.module().name(use.name);
  if (use.call == kNoNode || !name.starts_with("torch.nn.") || !contains(to_lower(name), "loss"))
    return false;
  const NodeIndex reduction = subject.module().argument(use.call, "reduction");
  if (reduction != kNoNode) return subject.module().literal(reduction) == "sum";
  const NodeIndex average = subject.module().argument(use.call, "size_average");
  return average != kNoNode && subject[average].kind == Kind::kFalse;
}

bool is_batch_norm(std::string_view name) {
  return name.starts_with("torch.nn.BatchNorm") || name.starts_with("torch.nn.modules.batchnorm.");
}

void say_places(const Subject& subject, World& world, Changes& changes) {
  bool has_norm = false;
  for (const project::Use& use : subject.module().uses()) {
    const std::string_view name = subject.module().name(use.name);
    if (sums_up(subject, use)) changes.as(Severity::kError).leave(subject, use.node, "sum");
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
  for (const TrainingProgram& program : world.cards.programs) {
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
