// A training loader gives each card its part; a loader that only evaluates stays as it is.
#include "base/text.h"
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

// Without drop_last the last samples are repeated until all cards have as many.
bool drops_last(const Subject& subject, NodeIndex call) {
  const NodeIndex value = subject.module().argument(call, "drop_last", 8);
  return value != kNoNode && subject[value].kind == Kind::kTrue;
}

void visit(const Subject& subject, World& world, Changes& changes) {
  std::set<NodeIndex> done;
  for (const TrainingProgram& program : world.cards.programs) {
    if (!world.cards.takes(program)) continue;
    for (const Loader& loader : program.loaders) {
      if (loader.subject != &subject || !done.insert(loader.call).second) continue;
      if (!loader.trains) {
        if (loader.evaluates)
          changes.as(diag::Severity::kNote).leave(subject, loader.call, "evaluation");
        continue;
      }
      changes.replace(subject, subject.tree().child(loader.call, Field::kFunction),
                      format("{}.training_loader", kCardsModule), Proof::kFlow);
      changes.leave(subject, loader.call, drops_last(subject, loader.call) ? "order" : "repeats",
                    {{"cards", std::to_string(world.cards.count)}});
    }
  }
}

}  // namespace

extern const Rule training_loader = {
    .code = "P074",
    .severity = diag::Severity::kWarning,
    .module = visit,
};

}  // namespace godwit::port::rules
