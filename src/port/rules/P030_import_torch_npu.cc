// torch_npu must be loaded before the first use of the npu: it is imported directly after torch.
#include <algorithm>
#include <map>

#include "base/text.h"
#include "port/rule.h"
#include "port/style.h"
#include "port/torch_imports.h"

namespace godwit::port::rules {
namespace {

// Behind the statement, on a line of its own with the same indentation.
void insert_after(const Subject& subject, NodeIndex statement, Changes& changes) {
  const syntax::Source& source = subject.module().source();
  const std::string_view bytes = source.bytes();
  const std::uint32_t begin = subject[statement].begin, end = subject[statement].end;
  const std::size_t line = begin == 0 ? 0 : bytes.rfind('\n', begin - 1) + 1;
  std::string_view indent = bytes.substr(line, begin - line);
  if (source.has_bom() && line == 0 && indent.starts_with("\xEF\xBB\xBF")) indent.remove_prefix(3);
  if (indent.find_first_not_of(" \t") != std::string_view::npos) {
    // `try: import torch`, `x = 1; import torch`: there is no line of its own.
    return changes.insert(subject, end, "; import torch_npu", statement);
  }
  const std::string_view newline = source.newline();
  const std::size_t next = bytes.find('\n', end);
  if (next == std::string_view::npos) {
    return changes.insert(subject, static_cast<std::uint32_t>(bytes.size()),
                          format("{}{}import torch_npu", newline, indent), statement);
  }
  changes.insert(subject, static_cast<std::uint32_t>(next) + 1,
                 format("{}import torch_npu{}", indent, newline), statement);
}

// The npu is named by every edit but those of environment variables.
bool names_npu(const Change& change) { return change.edit.rule != "P017"; }

void import_in_functions(const Subject& subject, const std::map<ScopeNumber, ScopeImports>& scopes,
                         Changes& changes) {
  const std::vector<Change> edits = changes.so_far();
  for (const auto& [scope, imports] : scopes) {
    if (imports.torch == kNoNode || imports.has_npu) continue;
    const syntax::Node& function = subject[subject.scope_node(scope)];
    const bool is_needed = std::any_of(edits.begin(), edits.end(), [&](const Change& change) {
      return names_npu(change) && change.edit.begin >= function.begin &&
             change.edit.end <= function.end;
    });
    if (is_needed) insert_after(subject, imports.torch, changes);
  }
}

// Has a main guard, or says by its first line that it is run and is imported by no other module.
bool is_program(const Subject& subject, const World& world) {
  const project::Module& module = subject.module();
  if (!module.is_entry_script()) return false;
  if (contains(module.source().text(), "__main__")) return true;
  return !module.file().path.ends_with("__init__.py") && !world.imported.contains(module.dotted());
}

void visit(const Subject& subject, World& world, Changes& changes) {
  if (is_portable(world)) return import_helper(subject, world, changes);
  const bool has_edits = std::any_of(changes.so_far().begin(), changes.so_far().end(), names_npu);
  if (!has_edits && !is_program(subject, world)) return;
  auto scopes = torch_imports(subject);
  if (scopes[0].has_npu) return;
  if (scopes[0].torch != kNoNode) return insert_after(subject, scopes[0].torch, changes);
  scopes.erase(0);
  if (has_edits) import_in_functions(subject, scopes, changes);
  const bool imports_torch = std::any_of(scopes.begin(), scopes.end(),
                                         [](const auto& s) { return s.second.torch != kNoNode; });
  if (has_edits && !imports_torch && is_program(subject, world) && world.uses_torch(subject)) {
    changes.as(diag::Severity::kNote).leave(subject, 0, "entry");
  }
}

}  // namespace

extern const Rule import_torch_npu = {
    .code = "P030",
    .severity = diag::Severity::kWarning,
    .module = visit,
};

}  // namespace godwit::port::rules
