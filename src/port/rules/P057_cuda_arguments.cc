// Arguments that mean CUDA without naming it: fused=True, device_map=0, accelerator="gpu".
#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "facts/tables.h"
#include "port/config.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

struct Row {
  std::string_view keyword{}, value{}, lacks{};
  std::size_t number = 0;
};

// Views into a table that facts keep.
using Rows = std::unordered_map<std::string_view, std::vector<Row>>;

const Table* table() {
  const auto found = facts::table("port/cuda_arguments.tsv", {});
  return found ? *found : nullptr;
}

const Rows& rows() {
  static const Rows kRows = [] {
    Rows all;
    const Table* const facts = table();
    for (std::size_t row = 0; facts && row < facts->rows(); ++row) {
      all[facts::cell(*facts, row, "call")].push_back({facts::cell(*facts, row, "keyword"),
                                                       facts::cell(*facts, row, "value"),
                                                       facts::cell(*facts, row, "lacks"), row});
    }
    return all;
  }();
  return kRows;
}

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool fits(const Subject& subject, NodeIndex value, std::string_view asked) {
  const auto literal = subject.module().literal(value);
  const std::string_view text = literal ? *literal : subject.text(value);
  if (asked == "#") return !literal && is_number(text);
  return asked == "*" || text == asked;
}

void judge(const Subject& subject, const project::Use& use, const std::vector<Row>& known,
           const facts::Soc& soc, Changes& changes) {
  for (const Row& row : known) {
    const NodeIndex value = subject.module().argument(use.call, row.keyword);
    if (value == kNoNode || !fits(subject, value, row.value)) continue;
    if (row.lacks == "bf16" && !facts::is_no(soc.bf16)) continue;
    changes.leave(subject, subject[value].parent, "left",
                  {{"argument", std::string(subject.text(subject[value].parent))},
                   {"note", std::string(facts::cell_to_read(*table(), row.number, "note"))}});
  }
}

void visit(const Subject& subject, World& world, Changes& changes) {
  for (const project::Use& use : subject.module().uses()) {
    if (use.call == kNoNode) continue;
    const std::string_view name = subject.module().name(use.name);
    auto found = rows().find(name);
    if (found == rows().end())
      found = rows().find(name.substr(std::min(name.rfind('.'), name.size())));
    if (found != rows().end()) judge(subject, use, found->second, world.soc, changes);
  }
}

bool imports(const World& world, std::string_view library) {
  return std::any_of(world.imported.begin(), world.imported.end(), [&](const std::string& name) {
    return name == library || name.starts_with(format("{}.", library));
  });
}

// `accelerator: gpu` in the configuration of a project that trains with Lightning.
void visit_settings(const Script& script, World& world, Changes& changes) {
  constexpr std::string_view kSettings = "settings:";
  for (const auto& [call, known] : rows()) {
    if (!call.starts_with(kSettings) || !imports(world, call.substr(kSettings.size()))) continue;
    for (const Setting& setting : settings(script)) {
      for (const Row& row : known) {
        const bool is_meant = setting.key == row.keyword &&
                              (row.value == "#" ? is_number(setting.value) && setting.value != "0"
                                                : setting.value == row.value);
        if (!is_meant) continue;
        changes.leave(script.place(setting.value_at), script.line(setting.value_at), "left",
                      {{"argument", format("{}: {}", setting.key, setting.value)},
                       {"note", std::string(facts::cell_to_read(*table(), row.number, "note"))}});
      }
    }
  }
}

}  // namespace

extern const Rule cuda_arguments = {
    .code = "P057",
    .severity = diag::Severity::kWarning,
    .files = {project::FileKind::kYaml, project::FileKind::kJson, project::FileKind::kToml},
    .module = visit,
    .script = visit_settings,
};

}  // namespace godwit::port::rules
