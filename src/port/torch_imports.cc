// Looks for them scope by scope; those for type checkers only do not count.
#include "port/torch_imports.h"

#include <algorithm>

#include "base/text.h"

namespace godwit::port {
namespace {

using project::Import;

bool is_below(std::string_view name, std::string_view package) {
  return name == package || (name.starts_with(package) && name[package.size()] == '.');
}

bool is_for_types_only(const Subject& subject, NodeIndex statement) {
  const NodeIndex branch = subject.tree().ancestor(statement, Kind::kIf);
  if (branch == kNoNode) return false;
  const NodeIndex test = subject.tree().child(branch, Field::kCondition);
  return test != kNoNode && contains(subject.text(test), "TYPE_CHECKING");
}

// Before the first import of torch: the helper brings torch itself, and what follows may ask it. A
// module without one gets it before its first statement.
void insert_helper(const Subject& subject, NodeIndex before, const World& world, Changes& changes) {
  const std::string_view bytes = subject.module().source().bytes();
  const std::uint32_t begin = subject[before].begin;
  const std::size_t line = begin == 0 ? 0 : bytes.rfind('\n', begin - 1) + 1;
  const std::string_view front = bytes.substr(line, begin - line);
  const std::string import = world.helpers.place(subject, Helper::kDevice).import_as();
  changes.with(Helper::kDevice);
  if (front.find_first_not_of(" \t") != std::string_view::npos)
    return changes.insert(subject, begin, import + "; ", before);
  changes.insert(subject, begin,
                 format("{}{}{}", import, subject.module().source().newline(), front), before);
}

// The first statement that is neither text nor an import from __future__.
NodeIndex first_statement(const Subject& subject) {
  for (const NodeIndex child : subject.children(0)) {
    const bool is_text = subject[child].kind == Kind::kExpressionStatement &&
                         subject[subject.tree().first_child(child)].kind == Kind::kString;
    const bool is_future = subject[child].kind == Kind::kFutureImport;
    if (!is_text && !is_future && subject[child].kind != Kind::kComment) return child;
  }
  return kNoNode;
}

}  // namespace

std::map<ScopeNumber, ScopeImports> torch_imports(const Subject& subject) {
  std::map<ScopeNumber, ScopeImports> found;
  for (const Import& import : subject.module().imports()) {
    const std::string_view target = subject.module().name(import.target);
    ScopeImports& here = found[subject.scope_of(import.statement)];
    if (is_below(target, "torch_npu")) here.has_npu = true;
    if (!is_below(target, "torch") || is_for_types_only(subject, import.statement)) continue;
    if (here.torch == kNoNode || import.statement < here.torch) here.torch = import.statement;
  }
  return found;
}

void import_helper(const Subject& subject, const World& world, Changes& changes) {
  const bool asks =
      std::any_of(changes.so_far().begin(), changes.so_far().end(),
                  [](const Change& change) { return change.helper == Helper::kDevice; });
  if (!asks) return;
  const auto scopes = torch_imports(subject);
  const auto module = scopes.find(0);
  const NodeIndex at = module != scopes.end() && module->second.torch != kNoNode
                           ? module->second.torch
                           : first_statement(subject);
  if (at != kNoNode) insert_helper(subject, at, world, changes);
}

}  // namespace godwit::port
