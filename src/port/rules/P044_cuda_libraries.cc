// Imports of libraries that exist for CUDA only: an unguarded one ends the program on the NPU
// machine, a guarded one lets the project take its own other way.
#include <set>

#include "base/text.h"
#include "facts/libraries.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

std::string_view first_part(std::string_view dotted) { return dotted.substr(0, dotted.find('.')); }

// The branch that runs when the import fails, for the reader to look at.
NodeIndex other_branch(const Subject& subject, NodeIndex statement) {
  const NodeIndex guard = subject.tree().ancestor(statement, Kind::kTry);
  if (guard == kNoNode) return kNoNode;
  for (const NodeIndex child : subject.children(guard)) {
    if (subject[child].kind == Kind::kExcept) return child;
  }
  return kNoNode;
}

void judge(const Subject& subject, const project::Import& import, const facts::Library& library,
           Changes& changes) {
  const std::string instead = library.replacements.empty() ? "—" : join(library.replacements, ", ");
  Args args = {{"library", library.name}, {"instead", instead}, {"note", library.note}};
  if (!import.is_guarded && library.how == facts::Replacement::kPartial)
    return changes.as(diag::Severity::kWarning).leave(subject, import.statement, "partial", args);
  if (!import.is_guarded) return changes.leave(subject, import.statement, "left", args);
  const NodeIndex other = other_branch(subject, import.statement);
  const std::uint32_t line = other == kNoNode ? 0 : subject.module().place(other).line;
  args.emplace_back("line", std::to_string(line));
  changes.as(diag::Severity::kNote)
      .leave(subject, import.statement, other == kNoNode ? "guarded" : "fallback", args);
}

// `import nvidia.dali` binds nvidia; the dotted name says what is meant.
std::string_view meant(const Subject& subject, const project::Import& import) {
  const std::string_view target = subject.module().name(import.target);
  const std::string_view written = import.node == kNoNode ? target : subject.text(import.node);
  return written.starts_with(format("{}.", target)) ? written : target;
}

void visit(const Subject& subject, World& world, Changes& changes) {
  std::set<std::pair<NodeIndex, std::string>> said;
  for (const project::Import& import : subject.module().imports()) {
    const std::string_view target = meant(subject, import);
    const std::string_view top = first_part(target);
    if (top == "torch" || top == "apex" || world.project.find(top))
      continue;  // P045 speaks of apex
    const auto library = facts::find_library(target, world.soc);
    if (!library || !*library || (*library)->how == facts::Replacement::kSame) continue;
    const bool is_partial = (*library)->how == facts::Replacement::kPartial;
    if (facts::is_yes((*library)->on_soc) && !is_partial) continue;
    if (is_partial && import.is_guarded) continue;
    if (!said.emplace(import.statement, (*library)->name).second) continue;
    judge(subject, import, **library, changes);
  }
}

}  // namespace

extern const Rule cuda_libraries = {
    .code = "P044",
    .severity = diag::Severity::kError,
    .module = visit,
};

}  // namespace godwit::port::rules
