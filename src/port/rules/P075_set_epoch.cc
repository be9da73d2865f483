// Before each pass the sampler must be told the epoch, or every epoch has the same order.
#include "base/text.h"
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

void visit(const Subject& subject, World& world, Changes& changes) {
  std::set<NodeIndex> done;
  for (const TrainingProgram& program : world.cards.programs) {
    if (!world.cards.takes(program)) continue;
    for (const BatchLoop& loop : program.loops) {
      if (loop.draws || loop.subject != &subject || !done.insert(loop.loop).second) continue;
      const std::string epoch =
          loop.epoch == kNoNode ? std::string() : format(", {}", subject.text(loop.epoch));
      const std::string text =
          format("{}.set_epoch({}{})", kCardsModule, subject.text(loop.loader), epoch);
      changes.insert(subject, subject[loop.loop].begin, as_statement(subject, loop.loop, text),
                     loop.loop);
    }
    for (const Site& made : program.iterators) {
      if (made.subject != &subject || !done.insert(made.node).second) continue;
      changes.replace(subject, subject.tree().child(made.node, Field::kFunction),
                      format("{}.passes", kCardsModule), Proof::kFlow);
    }
    for (const Site& loader : program.cycles) {
      if (loader.subject != &subject || !done.insert(loader.node).second) continue;
      changes.replace(subject, loader.node,
                      format("{}.each_pass({})", kCardsModule, subject.text(loader.node)),
                      Proof::kFlow);
    }
  }
}

}  // namespace

extern const Rule set_epoch = {
    .code = "P075",
    .severity = diag::Severity::kWarning,
    .module = visit,
};

}  // namespace godwit::port::rules
