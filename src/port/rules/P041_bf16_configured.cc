// BF16 in configuration files and launch lines, for a chip that has none: it would win over source
// that was edited with care.
#include <algorithm>

#include "base/text.h"
#include "port/config.h"
#include "port/precision.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

using project::FileKind;

bool is_on(std::string_view value) {
  const std::string lower = to_lower(value);
  return lower == "true" || lower == "yes" || lower == "on" || lower == "1" || value == "{";
}

void edit(const Script& script, std::uint32_t at, std::string_view old, std::string_view by,
          Changes& changes) {
  changes.replace(script.place(at), at, at + static_cast<std::uint32_t>(old.size()),
                  std::string(by), Proof::kPosition);
  changes.leave(script.place(at), script.line(at), "range");
}

// `bf16: true` becomes `fp16: true` when the file does not speak of fp16 itself.
void judge_switch(const Script& script, const std::vector<Setting>& all, const Setting& setting,
                  std::string_view by, Changes& changes) {
  const bool has_other =
      std::any_of(all.begin(), all.end(), [&](const Setting& other) { return other.key == by; });
  if (has_other) {
    return changes.leave(script.place(setting.key_at), script.line(setting.key_at), "both",
                         {{"key", std::string(setting.key)}, {"other", std::string(by)}});
  }
  edit(script, setting.key_at, setting.key, by, changes);
}

void visit_settings(const Script& script, Changes& changes) {
  const std::vector<Setting> all = settings(script);
  for (const Setting& setting : all) {
    const std::string_view value = without_bf16(setting.value);
    const std::string_view by = switch_without_bf16(setting.key);
    if (!value.empty() && names_precision(setting.key)) {
      edit(script, setting.value_at, setting.value, value, changes);
    } else if (!value.empty()) {
      changes.leave(script.place(setting.value_at), script.line(setting.value_at), "unproven",
                    {{"key", std::string(setting.key)}, {"text", std::string(setting.value)}});
    } else if (!by.empty() && is_on(setting.value)) {
      judge_switch(script, all, setting, by, changes);
    }
  }
}

// The option in front of a value: "--dtype bfloat16" and "--dtype=bfloat16" give "dtype".
std::string_view option_before(std::string_view text, std::uint32_t at) {
  std::size_t end = at;
  while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '=' || text[end - 1] == '"')) --end;
  std::size_t begin = end;
  while (begin > 0 && text[begin - 1] != ' ' && text[begin - 1] != '\n' && text[begin - 1] != '\t')
    --begin;
  const std::string_view word = text.substr(begin, end - begin);
  return word.starts_with("--") ? word.substr(2) : std::string_view();
}

void visit_values(const Script& script, Changes& changes) {
  for (const std::string_view word : {"bfloat16", "bf16", "bf16-mixed", "bf16-true"}) {
    for (const std::uint32_t at : script.find_words(word)) {
      const std::string_view option = option_before(script.text(), at);
      if (names_precision(option)) edit(script, at, word, without_bf16(word), changes);
    }
  }
}

bool is_off(std::string_view rest) {
  rest = trim(rest);
  if (rest.starts_with('=')) rest.remove_prefix(1);
  return rest.starts_with("False") || rest.starts_with("false") || rest.starts_with("0");
}

// Programs of the project, or the library behind them, must know the other switch.
bool knows_option(const World& world, std::string_view option) {
  return world.imported.contains("transformers") || world.options.contains(option);
}

void visit_switches(const Script& script, const World& world, Changes& changes) {
  for (const std::string_view key : {"bf16", "use_bf16", "enable_bf16", "bf16_full_eval"}) {
    const std::string word = format("--{}", key);
    const std::string by = format("--{}", switch_without_bf16(key));
    for (const std::uint32_t at : script.find_words(word)) {
      if (is_off(script.text().substr(at + word.size(), 8))) continue;
      if (knows_option(world, by)) {
        edit(script, at, word, by, changes);
      } else {
        changes.leave(script.place(at), script.line(at), "option",
                      {{"option", word}, {"other", by}});
      }
    }
  }
}

void visit(const Script& script, World& world, Changes& changes) {
  if (!facts::is_no(world.soc.bf16) || is_portable(world)) return;
  const FileKind kind = script.file().kind;
  if (kind == FileKind::kYaml || kind == FileKind::kJson || kind == FileKind::kToml)
    return visit_settings(script, changes);
  visit_values(script, changes);
  visit_switches(script, world, changes);
}

}  // namespace

extern const Rule bf16_configured = {
    .code = "P041",
    .severity = diag::Severity::kWarning,
    .files = {FileKind::kYaml, FileKind::kJson, FileKind::kToml, FileKind::kShell,
              FileKind::kMakefile, FileKind::kDockerfile, FileKind::kMarkdown},
    .script = visit,
};

}  // namespace godwit::port::rules
