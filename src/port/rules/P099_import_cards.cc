// Modules that call the helper import it; runs last, when all edits are known.
#include <algorithm>

#include "base/text.h"
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

void import_module(const Subject& subject, std::string_view module, Changes& changes) {
  const std::string call = format("{}.", module);
  const bool is_needed =
      std::any_of(changes.so_far().begin(), changes.so_far().end(),
                  [&](const Change& change) { return contains(change.edit.text, call); });
  if (!is_needed) return;
  const ImportPlace place = import_place(subject);
  changes.insert(subject, place.at, format("{}import {}{}", place.before, module, place.after),
                 place.reason);
}

void visit(const Subject& subject, World& world, Changes& changes) {
  if (!world.cards.is_asked()) return;
  import_module(subject, kCardsModule, changes);
  import_module(subject, kCollectivesModule, changes);
}

}  // namespace

extern const Rule import_cards = {
    .code = "P099",
    .severity = diag::Severity::kWarning,
    .module = visit,
};

}  // namespace godwit::port::rules
