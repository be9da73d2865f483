// Collectives that HCCL of the chip lacks: made of all_gather by a module that is added, or
// refused.
#include "base/text.h"
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

bool is_ddp(std::string_view name) {
  return name == "torch.nn.parallel.DistributedDataParallel" ||
         name == "torch.nn.parallel.distributed.DistributedDataParallel";
}

// A program that joins a group itself: its DDP gets the group whose broadcast we make.
void give_group(const Subject& subject, const project::Use& use, Changes& changes) {
  if (subject.module().argument(use.call, "process_group", 5) != kNoNode)
    return changes.leave(subject, use.call, "own_group");
  const NodeIndex list = subject.tree().child(use.call, Field::kArguments);
  const NodeIndex last = subject.module().arguments(use.call).empty()
                             ? kNoNode
                             : subject.module().arguments(use.call).back().value;
  if (last == kNoNode) return;
  const std::string_view tail = subject.module().source().text().substr(
      subject[last].end, subject[list].end - 1 - subject[last].end);
  if (contains(tail, ")")) return changes.leave(subject, use.call, "own_group");
  changes.insert(subject, subject[last].end,
                 format(", process_group={}.group()", kCollectivesModule), use.node);
}

void visit(const Subject& subject, World& world, Changes& changes) {
  const Cards& cards = world.cards;
  if (!cards.is_asked()) return;
  const Args args = {{"name", cards.collectives.name},
                     {"soc", world.soc.soc_version},
                     {"lacking", join(cards.collectives.lacking, ", ")},
                     {"limits", cards.collectives.limits},
                     {"most", std::to_string(cards.collectives.most)},
                     {"cards", std::to_string(cards.count)}};
  for (const TrainingProgram& program : cards.programs) {
    if (program.entry != &subject || !program.trains || Cards::is_ported(program)) continue;
    if (!cards.collectives.refusal.empty()) {
      changes.as(diag::Severity::kError).leave(subject, 0, cards.collectives.refusal, args);
    } else if (!cards.collectives.lacking.empty() &&
               (cards.takes(program) || program.is_distributed)) {
      changes.as(diag::Severity::kWarning).leave(subject, 0, "replaced", args);
    }
  }
  if (!cards.replaces_in(subject)) return;
  for (const project::Use& use : subject.module().uses()) {
    if (use.call != kNoNode && is_ddp(subject.module().name(use.name)))
      give_group(subject, use, changes);
  }
}

}  // namespace

extern const Rule collectives = {
    .code = "P082",
    .severity = diag::Severity::kWarning,
    .module = visit,
};

}  // namespace godwit::port::rules
