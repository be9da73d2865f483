// Imports of torch.cuda and below come from torch_npu instead, when it has every name of the
// statement.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "port/cuda_module.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

// "torch.cuda.amp" as the real module "torch_npu.npu.amp": torch.npu is only an alias of it, and
// importing below an alias would load the module a second time.
std::string real_module(std::string_view cuda) {
  return "torch_npu.npu" + std::string(cuda.substr(std::string_view("torch.cuda").size()));
}

// The node of the imported name itself, without ` as alias`.
NodeIndex name_node(const Subject& subject, NodeIndex imported) {
  if (subject[imported].kind != Kind::kAliasedImport) return imported;
  return subject.tree().child(imported, Field::kName);
}

// `import torch.cuda.amp as amp`, `import torch.cuda`
void rename_plain(const Subject& subject, const CudaImport& import, Changes& changes) {
  const bool has_alias = subject[import.import->node].kind == Kind::kAliasedImport;
  const NodeIndex name = name_node(subject, import.import->node);
  // Without an alias the statement binds torch, which stays needed.
  changes.replace(subject, name, has_alias ? real_module(import.target) : "torch", Proof::kImport);
}

// `from torch.cuda.amp import autocast`
void rename_from(const Subject& subject, const std::vector<CudaImport>& imports, NodeIndex source,
                 Changes& changes) {
  changes.replace(subject, source, real_module(subject.text(source)), Proof::kImport);
  for (const CudaImport& import : imports) {
    const std::string_view before = last_part(import.target),
                           after = last_part(import.counterpart->npu);
    if (before == after) continue;
    const NodeIndex name = name_node(subject, import.import->node);
    const bool has_alias = name != import.import->node;
    changes.replace(subject, name,
                    has_alias ? std::string(after) : format("{} as {}", after, before),
                    Proof::kImport);
  }
}

// `from torch import cuda`, `from torch import nn, cuda`
void rename_member(const Subject& subject, const CudaImport& import, NodeIndex statement,
                   NodeIndex source, Changes& changes) {
  const NodeIndex imported = import.import->node;
  const NodeIndex name = name_node(subject, imported);
  std::vector<NodeIndex> names;
  for (const NodeIndex child : subject.children(statement)) {
    if (subject[child].field == Field::kName) names.push_back(child);
  }
  if (names.size() == 1) {
    changes.replace(subject, source, "torch_npu", Proof::kImport);
    changes.replace(subject, name, "npu", Proof::kImport);
    return;
  }
  const auto at =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), imported) - names.begin());
  if (at >= names.size()) return;
  const bool is_first = at == 0;
  const std::uint32_t begin = is_first ? subject[imported].begin : subject[names[at - 1]].end;
  const std::uint32_t end = is_first ? subject[names[1]].begin : subject[imported].end;
  changes.replace(subject, begin, end, "", Proof::kImport);
  const std::uint32_t column = subject.module().source().place(subject[statement].begin).column - 1;
  std::string_view alias =
      subject.text(imported).substr(subject[name].end - subject[imported].begin);
  changes.insert(subject, subject[statement].end,
                 format("{}{}from torch_npu import npu{}", subject.module().source().newline(),
                        std::string(column, ' '), alias),
                 statement);
}

// `from torch.cuda.amp import autocast` becomes an assignment: which module is meant shows when the
// program runs.
void assign(const Subject& subject, const std::vector<CudaImport>& imports, NodeIndex statement,
            const World& world, Changes& changes) {
  std::string names, values;
  for (const CudaImport& import : imports) {
    const std::string_view rest = import.target.substr(std::string_view("torch.cuda").size());
    const std::string_view gap = names.empty() ? "" : ", ";
    names += format("{}{}", gap, subject.module().name(import.import->bound));
    values += format("{}{}{}", gap, asks_helper(subject, world, "module"), rest);
  }
  changes.with(Helper::kDevice)
      .replace(subject, statement, format("{} = {}", names, values), Proof::kImport);
}

// True when the whole statement is about torch.cuda and binds names of its own.
bool is_assignable(const Subject& subject, const std::vector<CudaImport>& imports,
                   NodeIndex statement) {
  std::size_t count = 0;
  for (const project::Import& import : subject.module().imports())
    count += import.statement == statement;
  for (const CudaImport& import : imports) {
    const bool binds_torch = subject.module().name(import.import->bound) == "torch";
    const std::string_view npu = import.counterpart->npu;
    if (binds_torch || npu.substr(9) != import.target.substr(10)) return false;
  }
  return count == imports.size();
}

void port_statement(const Subject& subject, NodeIndex statement, World& world, Changes& changes) {
  const std::vector<CudaImport> imports = cuda_imports(subject, statement, world);
  if (imports.empty()) return;
  for (const CudaImport& import : imports) {
    const Args args = {{"name", std::string(import.target)}, {"release", world.names.release()}};
    if (import.import->is_star) return changes.leave(subject, statement, "star", args);
    if (import.is_fine()) continue;
    return changes.leave(subject, statement,
                         import.counterpart && import.counterpart->is_known ? "release" : "missing",
                         args);
  }
  const NodeIndex source = subject.tree().child(statement, Field::kModuleName);
  if (is_portable(world)) {
    if (is_assignable(subject, imports, statement))
      return assign(subject, imports, statement, world, changes);
    if (source != kNoNode)
      changes.leave(subject, statement, "portable", {{"name", std::string(imports[0].target)}});
    return;
  }
  if (source == kNoNode) {
    for (const CudaImport& import : imports) rename_plain(subject, import, changes);
  } else if (is_cuda_name(subject.text(source))) {
    rename_from(subject, imports, source, changes);
  } else if (subject.text(source) == "torch") {
    for (const CudaImport& import : imports)
      rename_member(subject, import, statement, source, changes);
  } else {
    changes.leave(subject, statement, "reexported", {{"name", std::string(imports[0].target)}});
  }
}

void visit(const Subject& subject, World& world, Changes& changes) {
  std::set<NodeIndex> statements;
  for (const project::Import& import : subject.module().imports())
    statements.insert(import.statement);
  for (const NodeIndex statement : statements) port_statement(subject, statement, world, changes);
}

}  // namespace

extern const Rule cuda_imports = {
    .code = "P002",
    .severity = diag::Severity::kError,
    .module = visit,
};

}  // namespace godwit::port::rules
