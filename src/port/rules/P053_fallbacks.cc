// Kernels that the project compiles for CUDA and has in plain PyTorch as well: the plain way is
// chosen, by the import that fails on the NPU or by the flag that turns the kernel on.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "port/config.h"
#include "port/extensions.h"
#include "port/kernel_flags.h"
#include "port/style.h"
#include "port/torch_imports.h"

namespace godwit::port::rules {
namespace {

std::uint32_t line_of_except(const Subject& subject, NodeIndex statement) {
  const NodeIndex guard = subject.tree().ancestor(statement, Kind::kTry);
  if (guard == kNoNode) return 0;
  for (const NodeIndex child : subject.children(guard)) {
    if (subject[child].kind == Kind::kExcept) return subject.module().place(child).line;
  }
  return 0;
}

void judge_import(const Subject& subject, const project::Import& import, const World& world,
                  Changes& changes) {
  const std::string_view target = subject.module().name(import.target);
  const std::string_view extension = world.extensions.find(target);
  if (extension.empty()) return;
  Args args = {{"name", std::string(extension)}};
  if (!import.is_guarded) return changes.leave(subject, import.statement, "left", args);
  const std::uint32_t line = line_of_except(subject, import.statement);
  args.emplace_back("line", std::to_string(line));
  changes.as(diag::Severity::kNote)
      .leave(subject, import.statement, line == 0 ? "guarded" : "import", args);
}

bool is_held(const Subject& subject, NodeIndex flag, World& world) {
  const SlotId slot = world.flow.slot(subject, flag);
  return slot == kNoSlot || world.flow.slots().has(slot, Meaning::kHeld);
}

void judge_flag(const Subject& subject, NodeIndex flag, const OtherWay& way, World& world,
                Changes& changes) {
  if (!is_turned_on(subject, flag, world)) return;
  const bool is_left = is_held(subject, flag, world);
  changes.as(is_left ? diag::Severity::kWarning : diag::Severity::kNote)
      .leave(subject, flag, is_left ? "unproven" : "chosen",
             {{"flag", std::string(subject.text(flag))},
              {"name", std::string(way.library)},
              {"line", std::to_string(subject.module().place(way.plain).line)}});
}

// True where the flag is set: false on the NPU.
void turn_off(const Subject& subject, NodeIndex value, World& world, Changes& changes) {
  const Landing landing = world.flow.land(subject, value);
  for (const SlotId slot : landing.slots) {
    const Slots& slots = world.flow.slots();
    if (!slots.has(slot, Meaning::kKernel) || slots.has(slot, Meaning::kHeld)) continue;
    if (!is_portable(world)) return changes.replace(subject, value, "False", Proof::kFlow);
    return changes.with(Helper::kDevice)
        .replace(subject, value, asks_helper(subject, world, "runs_cuda"), Proof::kFlow);
  }
}

// The option or variable that turns the flag on when the program starts.
void turn_off(const Subject& subject, const Switch& found, World& world, Changes& changes) {
  if (!turns_kernel_on(found, world)) return;
  if (found.kind == Switch::Kind::kPositive) {
    return changes.as(diag::Severity::kNote)
        .leave(subject, found.value, "option", {{"option", std::string(found.name)}});
  }
  if (found.kind == Switch::Kind::kUnread) return;
  if (!is_portable(world)) return changes.replace(subject, found.edited, found.off, Proof::kFlow);
  const std::string asked = asks_helper(subject, world, "runs_cuda");
  const std::string text(subject.text(found.edited));
  changes.with(Helper::kDevice)
      .replace(subject, found.edited,
               found.kind == Switch::Kind::kNegative
                   ? format("{}, default={}", text, asked)
                   : format("{} if {} else {}", text, asked, found.off),
               Proof::kFlow);
}

bool names_helper(const Changes& changes) {
  const auto& all = changes.so_far();
  return std::any_of(all.begin(), all.end(),
                     [](const Change& change) { return change.helper == Helper::kDevice; });
}

void visit(const Subject& subject, World& world, Changes& changes) {
  std::set<NodeIndex> said;
  for (const project::Import& import : subject.module().imports()) {
    if (said.insert(import.statement).second) judge_import(subject, import, world, changes);
  }
  for_each_kernel_flag(subject, world, [&](NodeIndex flag, const OtherWay& way) {
    judge_flag(subject, flag, way, world, changes);
  });
  const bool had_helper = names_helper(changes);
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    if (nodes[node].kind == Kind::kTrue) turn_off(subject, node, world, changes);
  }
  if (!world.switches.empty()) {
    for (const Switch& found : world.switches[subject.index()])
      turn_off(subject, found, world, changes);
  }
  // The rule of the imports has come by already.
  if (!had_helper) import_helper(subject, world, changes);
}

bool ends_word(std::string_view text, std::size_t at) {
  return at == text.size() || text[at] == ' ' || text[at] == '\n' || text[at] == '\r' ||
         text[at] == '\t' || text[at] == '"' || text[at] == '\'' || text[at] == ';';
}

// `train.py --fast`: the option that turns the kernel on is not given.
void drop_option(const Script& script, const Switch& found, World& world, Changes& changes) {
  if (found.kind != Switch::Kind::kPositive || found.name.empty()) return;
  if (!turns_kernel_on(found, world)) return;
  const std::string_view text = script.text();
  for (std::size_t at = text.find(found.name); at != std::string_view::npos;
       at = text.find(found.name, at + 1)) {
    const std::size_t end = at + found.name.size();
    const auto begin = static_cast<std::uint32_t>(at);
    if (at == 0 || text[at - 1] != ' ' || !ends_word(text, end) || script.is_silent(begin))
      continue;
    const Args args = {{"option", std::string(found.name)}};
    if (is_portable(world)) {
      changes.as(diag::Severity::kWarning)
          .leave(script.place(begin), script.line(begin), "given", args);
      continue;
    }
    changes.as(diag::Severity::kNote)
        .leave(script.place(begin), script.line(begin), "dropped", args);
    changes.replace(script.place(begin), begin - 1, static_cast<std::uint32_t>(end), "",
                    Proof::kFlow);
  }
}

void visit_lines(const Script& script, World& world, Changes& changes) {
  for (const auto& of_module : world.switches) {
    for (const Switch& found : of_module) drop_option(script, found, world, changes);
  }
}

void visit_settings(const Script& script, World& world, Changes& changes) {
  for (const Setting& setting : settings(script)) {
    if (!equals_ignoring_case(setting.value, "true")) continue;
    if (!world.flow.is_shown_by_key(setting.key, Meaning::kKernel)) continue;
    const Place place = script.place(setting.value_at);
    if (is_portable(world)) {
      changes.as(diag::Severity::kWarning)
          .leave(place, script.line(setting.value_at), "config",
                 {{"flag", std::string(setting.key)}});
      continue;
    }
    changes.as(diag::Severity::kNote)
        .leave(place, script.line(setting.value_at), "configured",
               {{"flag", std::string(setting.key)}});
    changes.replace(place, setting.value_at, setting.value_at + 4,
                    setting.value.front() == 'T' ? "False" : "false", Proof::kFlow);
  }
}

void visit_script(const Script& script, World& world, Changes& changes) {
  const project::FileKind kind = script.file().kind;
  const bool is_config = kind == project::FileKind::kYaml || kind == project::FileKind::kJson ||
                         kind == project::FileKind::kToml;
  (is_config ? visit_settings : visit_lines)(script, world, changes);
}

}  // namespace

extern const Rule fallbacks = {
    .code = "P053",
    .severity = diag::Severity::kError,
    .files = {project::FileKind::kYaml, project::FileKind::kJson, project::FileKind::kToml,
              project::FileKind::kShell, project::FileKind::kMarkdown,
              project::FileKind::kDockerfile, project::FileKind::kMakefile},
    .module = visit,
    .script = visit_script,
};

}  // namespace godwit::port::rules
