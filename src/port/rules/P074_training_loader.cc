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

// Of a table of loaders only the one that trains is shared out.
std::string maker(const Subject& subject, const Loader& loader, std::string_view old) {
  std::string shared = format("{}.training_loader", kCardsModule);
  if (loader.key == kNoNode) return shared;
  return format("({} if {} == \"{}\" else {})", shared, subject.text(loader.key),
                loader.trained_key, old);
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
      const NodeIndex function = subject.tree().child(loader.call, Field::kFunction);
      changes.replace(subject, function, maker(subject, loader, subject.text(function)),
                      Proof::kFlow);
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
