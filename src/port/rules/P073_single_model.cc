// A model without DataParallel is shared just before its optimizer is made, under its own name.
#include "base/text.h"
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

void visit(const Subject& subject, World& world, Changes& changes) {
  std::set<std::pair<NodeIndex, std::string_view>> done;
  for (const TrainingProgram& program : world.cards.programs) {
    if (!world.cards.takes(program)) continue;
    for (const SingleModel& model : program.models) {
      if (model.subject != &subject) continue;
      const std::string_view name = subject.text(model.model);
      if (!done.emplace(model.statement, name).second) continue;
      const std::string text = format("{0} = {1}.transparent({0}{2})", name, kCardsModule,
                                      world.cards.sync_batchnorm ? ", sync_batchnorm=True" : "");
      changes.insert(subject, subject[model.statement].begin,
                     as_statement(subject, model.statement, text), model.statement);
    }
  }
}

}  // namespace

extern const Rule single_model = {
    .code = "P073",
    .severity = diag::Severity::kWarning,
    .module = visit,
};

}  // namespace godwit::port::rules
