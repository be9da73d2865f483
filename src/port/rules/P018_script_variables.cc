// CUDA environment variables in shell scripts, Dockerfiles, Makefiles and YAML.
#include "port/rule.h"
#include "port/style.h"
#include "port/variables.h"

namespace godwit::port::rules {
namespace {

// What a script sets it may read: all places of a file keep the name together.
bool is_unfit_in(const Script& script, std::string_view name) {
  for (const VariableSite& site : script.variables()) {
    if (site.name != name || site.role != VariableSite::Role::kSet) continue;
    if (is_unfit_value(name, site.value)) return true;
  }
  return false;
}

void judge(const Script& script, const VariableSite& site, const World& world, Changes& changes) {
  const bool is_set = site.role == VariableSite::Role::kSet;
  const auto verdict = judge_variable(site.name, is_set ? &site.value : nullptr);
  if (!verdict || verdict->fit == Fit::kNotOurs) return;
  if (verdict->fit == Fit::kRename && is_portable(world)) return;
  const bool is_unfit = world.unfit_variables.contains(site.name) || is_unfit_in(script, site.name);
  if (verdict->fit == Fit::kRename && !is_unfit) {
    return changes.replace(script.place(site.begin), site.begin, site.end, verdict->ascend,
                           Proof::kTable);
  }
  const Args args = {
      {"name", std::string(site.name)}, {"ascend", verdict->ascend}, {"note", verdict->note}};
  const std::string_view variant = verdict->fit == Fit::kSimilar ? "similar"
                                   : verdict->fit == Fit::kNone  ? "none"
                                                                 : "value";
  if (verdict->fit == Fit::kNone) changes.as(diag::Severity::kNote);
  changes.leave(script.place(site.begin), script.line(site.begin), variant, args);
}

void visit(const Script& script, World& world, Changes& changes) {
  for (const VariableSite& site : script.variables()) judge(script, site, world, changes);
}

}  // namespace

extern const Rule script_variables = {
    .code = "P018",
    .severity = diag::Severity::kWarning,
    .files = {project::FileKind::kShell, project::FileKind::kDockerfile,
              project::FileKind::kMakefile, project::FileKind::kYaml, project::FileKind::kMarkdown},
    .script = visit,
};

}  // namespace godwit::port::rules
