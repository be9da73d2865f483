// Lines that start a program: one process per card from now on.
#include <filesystem>

#include "base/text.h"
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The word that begins at `at`, up to a blank or the end of the command.
std::string_view word_at(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_of(" \t\n\r;|&\"'`", at);
  return text.substr(at, end == std::string_view::npos ? end : end - at);
}

// A path as a script names it is one of the project: from the script's folder or from the root.
bool is_program(const Script& script, std::string_view path, const TrainingProgram& program) {
  const std::string_view entry = program.entry->module().file().path;
  const auto normal = [](const std::filesystem::path& each) {
    return each.lexically_normal().generic_string();
  };
  const std::filesystem::path folder = std::filesystem::path(script.file().path).parent_path();
  return normal(folder / path) == entry || normal(path) == entry;
}

const TrainingProgram* program_of(const Script& script, std::string_view path, const Cards& cards) {
  for (const TrainingProgram& program : cards.programs) {
    if (cards.takes(program) && is_program(script, path, program)) return &program;
  }
  return nullptr;
}

// CUDA_VISIBLE_DEVICES=0 in front of the command hides the other cards.
std::size_t count_visible(const Script& script, std::size_t at) {
  const std::size_t line = script.text().rfind('\n', at);
  for (const VariableSite& site : script.variables()) {
    const bool is_here = site.begin < at && (line == std::string_view::npos || site.begin > line);
    const bool chooses = site.name.ends_with("VISIBLE_DEVICES");
    if (is_here && chooses && site.role == VariableSite::Role::kSet)
      return split(site.value, ',').size();
  }
  return 0;
}

void launch(const Script& script, std::uint32_t at, std::string_view python, const Cards& cards,
            Changes& changes) {
  const std::string_view text = script.text();
  std::size_t path_at = at + python.size();
  bool has_options = false;
  while (path_at < text.size() && is_blank(text[path_at])) {
    while (path_at < text.size() && is_blank(text[path_at])) ++path_at;
    const std::string_view word = word_at(text, path_at);
    if (!word.starts_with('-')) break;
    if (word == "-m" || word == "-c") return;  // a module: not a file of its own
    has_options = true;
    path_at += word.size();
  }
  const std::string_view path = word_at(text, path_at);
  if (!path.ends_with(".py") || !program_of(script, path, cards)) return;
  const std::size_t visible = count_visible(script, at);
  if (visible > 0 && visible < cards.count) {
    return changes.leave(
        script.place(at), script.line(at), "visible",
        {{"cards", std::to_string(cards.count)}, {"visible", std::to_string(visible)}});
  }
  const auto begin = static_cast<std::uint32_t>(path_at);
  if (has_options) {
    return changes.replace(script.place(at), begin, begin,
                           format("-m torch.distributed.run --nproc_per_node={} ", cards.count),
                           Proof::kNeeded);
  }
  changes.replace(script.place(at), at, at + static_cast<std::uint32_t>(python.size()),
                  format("torchrun --nproc_per_node={}", cards.count), Proof::kNeeded);
}

void visit(const Script& script, World& world, Changes& changes) {
  if (!world.cards.is_asked()) return;
  for (const std::string_view python : {"python", "python3"}) {
    for (const std::uint32_t at : script.find_words(python))
      launch(script, at, python, world.cards, changes);
  }
}

}  // namespace

extern const Rule launch_lines = {
    .code = "P081",
    .severity = diag::Severity::kError,
    .files = {project::FileKind::kShell, project::FileKind::kMakefile,
              project::FileKind::kDockerfile, project::FileKind::kMarkdown},
    .script = visit,
};

}  // namespace godwit::port::rules
