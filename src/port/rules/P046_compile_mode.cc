// Operators are compiled on line by default on some chips, for every new shape. A program turns
// that off, unless an operator of the project exists on that path only.
#include <algorithm>

#include "base/text.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

// The program must not say it already, and an import of torch must stand on a line of its own.
NodeIndex first_torch_import(const Subject& subject) {
  for (const project::Import& import : subject.module().imports()) {
    const std::string_view target = subject.module().name(import.target);
    const bool is_torch = target == "torch" || target.starts_with("torch.");
    if (is_torch && subject.scope_of(import.statement) == 0 && !import.is_guarded)
      return import.statement;
  }
  return kNoNode;
}

bool sets_mode(const Subject& subject) {
  return contains(subject.module().source().text(), "set_compile_mode") ||
         contains(subject.module().source().text(), "jit_compile");
}

bool names_npu(const std::vector<Change>& changes) {
  return std::any_of(changes.begin(), changes.end(), [](const Change& change) {
    return contains(change.edit.text, "npu") && change.edit.rule != "P017";
  });
}

// Behind the last import of the module's head, so that no import moves behind code.
NodeIndex last_head_import(const Subject& subject) {
  NodeIndex last = kNoNode;
  for (const NodeIndex child : subject.children(0)) {
    const Kind kind = subject[child].kind;
    if (kind == Kind::kImportStatement || kind == Kind::kImportFromStatement) last = child;
  }
  return last;
}

void insert(const Subject& subject, Changes& changes) {
  const NodeIndex at = last_head_import(subject);
  if (at == kNoNode) return;
  const std::string_view bytes = subject.module().source().bytes();
  const std::string_view newline = subject.module().source().newline();
  const std::size_t next = bytes.find('\n', subject[at].end);
  constexpr std::string_view kCall = "torch.npu.set_compile_mode(jit_compile=False)";
  const std::string_view rest =
      next == std::string_view::npos ? "" : bytes.substr(subject[at].end, next - subject[at].end);
  if (next == std::string_view::npos || rest.find(';') != std::string_view::npos) return;
  changes.insert(subject, static_cast<std::uint32_t>(next) + 1, format("{}{}", kCall, newline), at);
}

// With `if __name__ == "__main__"`, or a script that nobody imports and that works at its top
// level.
bool is_program(const Subject& subject, const World& world) {
  const project::Module& module = subject.module();
  if (module.file().kind != project::FileKind::kPython) return false;
  if (module.is_entry_script() && contains(module.source().text(), "__main__")) return true;
  if (world.imported.contains(module.dotted())) return false;
  const auto top = subject.children(0);
  return std::any_of(top.begin(), top.end(), [&](NodeIndex node) {
    const Kind kind = subject[node].kind;
    return kind == Kind::kFor || kind == Kind::kWhile || kind == Kind::kWith;
  });
}

void visit(const Subject& subject, World& world, Changes& changes) {
  if (!facts::is_yes(world.soc.jit_compile_default) || world.style != Style::kNpu) return;
  if (!is_program(subject, world) || sets_mode(subject) || !names_npu(changes.so_far())) return;
  if (first_torch_import(subject) == kNoNode) return;
  if (!world.needs_compiler.empty()) {
    return changes.leave(subject, first_torch_import(subject), "left",
                         {{"names", join(world.needs_compiler, ", ")}});
  }
  insert(subject, changes);
}

}  // namespace

extern const Rule compile_mode = {
    .code = "P046",
    .severity = diag::Severity::kWarning,
    .module = visit,
};

}  // namespace godwit::port::rules
