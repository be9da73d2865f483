// The first thing a program does is to take its card and join the group.
#include "base/text.h"
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

void visit(const Subject& subject, World& world, Changes& changes) {
  for (const TrainingProgram& program : world.cards.programs) {
    if (program.entry != &subject || !world.cards.takes(program)) continue;
    changes.insert(subject, subject[program.start].begin,
                   as_statement(subject, program.start, format("{}.start()", kCardsModule)),
                   program.start);
  }
}

}  // namespace

extern const Rule process_group = {
    .code = "P071",
    .severity = diag::Severity::kWarning,
    .module = visit,
};

}  // namespace godwit::port::rules
