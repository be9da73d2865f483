// CUDA environment variables in Python: renamed where name and value mean the same on the NPU.
#include "port/python_variables.h"
#include "port/rule.h"
#include "port/style.h"
#include "port/variables.h"

namespace godwit::port::rules {
namespace {

void judge(const Subject& subject, const PythonVariable& variable, const World& world,
           Changes& changes) {
  const std::string_view given = variable.value.value_or("?");  // of no known form
  const std::string_view* const value = variable.is_set ? &given : nullptr;
  const auto verdict = judge_variable(variable.name, value);
  if (!verdict || verdict->fit == Fit::kNotOurs) return;
  const Args args = {
      {"name", std::string(variable.name)}, {"ascend", verdict->ascend}, {"note", verdict->note}};
  // The helper takes the cards over; all else keeps its name for CUDA.
  if (verdict->fit == Fit::kRename && is_portable(world)) return;
  const bool is_unfit = world.unfit_variables.contains(variable.name);
  if (verdict->fit == Fit::kRename && !is_unfit) {
    const std::uint32_t begin = subject[variable.literal].begin;
    const auto at = static_cast<std::uint32_t>(subject.text(variable.literal).find(variable.name));
    const auto end = begin + at + static_cast<std::uint32_t>(variable.name.size());
    return changes.replace(subject, begin + at, end, verdict->ascend, Proof::kTable);
  }
  const std::string_view variant = verdict->fit == Fit::kSimilar ? "similar"
                                   : verdict->fit == Fit::kNone  ? "none"
                                                                 : "value";
  if (verdict->fit == Fit::kNone) changes.as(diag::Severity::kNote);
  changes.leave(subject, variable.literal, variant, args);
}

void visit(const Subject& subject, World& world, Changes& changes) {
  for (const PythonVariable& variable : python_variables(subject))
    judge(subject, variable, world, changes);
}

}  // namespace

extern const Rule python_variables = {
    .code = "P017",
    .severity = diag::Severity::kWarning,
    .module = visit,
};

}  // namespace godwit::port::rules
