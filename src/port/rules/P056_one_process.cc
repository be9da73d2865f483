// DataParallel of a program that stays on one card: torch_npu drives one card per process, so a
// small class of the same interface takes its place.
#include <algorithm>

#include "base/text.h"
#include "port/cards.h"
#include "port/rule.h"
#include "port/training_names.h"

namespace godwit::port::rules {
namespace {

// P072 shares the model out there.
bool is_shared_out(const Subject& subject, NodeIndex call, const Cards& cards) {
  return std::any_of(
      cards.programs.begin(), cards.programs.end(), [&](const TrainingProgram& program) {
        return cards.takes(program) &&
               std::any_of(program.parallel.begin(), program.parallel.end(), [&](const Site& site) {
                 return site.subject == &subject && site.node == call;
               });
      });
}

void import_helper(const Subject& subject, const HelperPlace& helper, Changes& changes) {
  const ImportPlace place = import_place(subject);
  changes.insert(subject, place.at, format("{}{}{}", place.before, helper.import_as(), place.after),
                 place.reason);
}

void visit(const Subject& subject, World& world, Changes& changes) {
  const HelperPlace helper = world.helpers.place(subject, Helper::kParallel);
  bool is_needed = false;
  changes.with(Helper::kParallel);
  for (const project::Use& use : subject.module().uses()) {
    const std::string_view name = subject.module().name(use.name);
    if (is_parallel(name) && use.kind == project::UseKind::kBase) {
      changes.as(diag::Severity::kError).leave(subject, use.node, "subclass");
    } else if (use.call == kNoNode) {
      continue;
    } else if (name.starts_with("torch.nn.parallel.") && name.ends_with(".data_parallel")) {
      changes.as(diag::Severity::kError).leave(subject, use.node, "function");
    } else if (is_parallel(name) && !is_shared_out(subject, use.call, world.cards)) {
      const NodeIndex function = subject.tree().child(use.call, Field::kFunction);
      changes.replace(subject, function, format("{}.DataParallel", helper.name), Proof::kImport);
      changes.leave(subject, use.call, "one");
      is_needed = true;
    }
  }
  if (is_needed) import_helper(subject, helper, changes);
}

}  // namespace

extern const Rule one_process = {
    .code = "P056",
    .severity = diag::Severity::kNote,
    .module = visit,
};

}  // namespace godwit::port::rules
