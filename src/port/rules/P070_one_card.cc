// A program that trains but is not understood well enough stays on one card, and each reason is
// said.
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

bool is_said_before(const Cards& cards, const TrainingProgram& program, const Doubt& doubt) {
  for (const TrainingProgram& other : cards.programs) {
    if (&other == &program) return false;
    for (const Doubt& each : other.doubts) {
      if (each.subject == doubt.subject && each.node == doubt.node && each.variant == doubt.variant)
        return true;
    }
  }
  return false;
}

void visit(const Subject& subject, World& world, Changes& changes) {
  const Cards& cards = world.cards;
  if (!cards.is_asked() || !cards.collectives.refusal.empty()) return;
  for (const TrainingProgram& program : cards.programs) {
    if (program.entry != &subject || !program.trains || program.is_distributed ||
        Cards::is_ported(program))
      continue;
    for (const Doubt& doubt : program.doubts) {
      if (is_said_before(cards, program, doubt)) continue;
      changes.leave(*doubt.subject, doubt.node, doubt.variant,
                    {{"name", doubt.name}, {"program", subject.module().file().path}});
    }
  }
}

}  // namespace

extern const Rule one_card = {
    .code = "P070",
    .severity = diag::Severity::kError,
    .module = visit,
};

}  // namespace godwit::port::rules
