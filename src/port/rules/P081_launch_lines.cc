// Lines that start a program: one process per card from now on.
#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

// The word that begins at `at`, up to a blank or the end of the command.
std::string_view word_at(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_of(" \t\n\r;|&\"'`", at);
  return text.substr(at, end == std::string_view::npos ? end : end - at);
}

// Past blanks and line ends that a backslash takes away.
std::size_t skip_blanks(std::string_view text, std::size_t at) {
  for (;; ++at) {
    if (text.substr(at, 2) == "\\\n")
      ++at;
    else if (at >= text.size() || (text[at] != ' ' && text[at] != '\t'))
      return at;
  }
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

// A program that goes to several cards; of a launcher's line also one that was distributed before.
bool starts_program(const Script& script, std::string_view path, const Cards& cards,
                    bool has_launcher) {
  return std::any_of(
      cards.programs.begin(), cards.programs.end(), [&](const TrainingProgram& program) {
        const bool is_meant =
            cards.takes(program) || (has_launcher && program.trains && program.is_distributed &&
                                     !Cards::is_ported(program));
        return is_meant && is_program(script, path, program);
      });
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

// What stands behind python or torchrun, as far as the program.
struct Line {
  std::vector<std::uint32_t> words{};  // where each begins
  std::string_view path{};
  std::uint32_t path_at = 0;
  bool has_launcher = false;  // torchrun, python -m torch.distributed.launch
  std::uint32_t launcher_end = 0;
  std::string_view count{};  // the value of --nproc_per_node
  std::uint32_t count_at = 0;
};

bool is_launcher(std::string_view word) {
  return word == "torch.distributed.run" || word == "torch.distributed.launch";
}

// "--nproc_per_node=8", "--nproc-per-node 8"
void read_count(std::string_view text, std::uint32_t at, std::string_view word, Line& line) {
  const std::string_view name = word.substr(0, word.find('='));
  if (name != "--nproc_per_node" && name != "--nproc-per-node") return;
  const std::size_t value =
      name.size() < word.size() ? at + name.size() + 1 : skip_blanks(text, at + word.size());
  line.count_at = static_cast<std::uint32_t>(value);
  line.count = word_at(text, value);
}

Line read_line(std::string_view text, std::uint32_t at, std::string_view first) {
  Line line{.has_launcher = first == "torchrun",
            .launcher_end = at + static_cast<std::uint32_t>(first.size())};
  for (std::size_t next = skip_blanks(text, line.launcher_end); next < text.size();) {
    const auto begin = static_cast<std::uint32_t>(next);
    const std::string_view word = word_at(text, next);
    if (word.empty()) break;
    if (word.ends_with(".py") && !word.starts_with('-')) {
      line.path = word;
      line.path_at = begin;
      break;
    }
    const bool is_module = !line.words.empty() && word_at(text, line.words.back()) == "-m";
    if (is_module && !is_launcher(word)) break;  // a module: not a file of its own
    if (is_module) line.has_launcher = true;
    if (is_module) line.launcher_end = begin + static_cast<std::uint32_t>(word.size());
    if (!is_module && !line.has_launcher && !word.starts_with('-')) break;
    if (line.has_launcher) read_count(text, begin, word, line);
    line.words.push_back(begin);
    next = skip_blanks(text, begin + word.size());
  }
  return line;
}

// ["python", "train.py"]: words of a list, each in quotes of its own.
std::string_view listed_path(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return {};
  const char quote = text[at];
  std::size_t next = skip_blanks(text, at + 1);
  if (next >= text.size() || text[next] != ',') return {};
  next = skip_blanks(text, next + 1);
  return next < text.size() && text[next] == quote ? word_at(text, next + 1) : std::string_view();
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The line starts several processes already: their number is that of the cards.
void set_count(const Script& script, const Line& line, const Cards& cards, Changes& changes) {
  const std::string wanted = std::to_string(cards.count);
  const std::uint32_t end = line.launcher_end;
  if (line.count.empty()) {
    return changes.replace(script.place(end), end, end, format(" --nproc_per_node={}", wanted),
                           Proof::kNeeded);
  }
  if (line.count == wanted) return;
  const bool is_plain = is_number(line.count) || line.count == "gpu" || line.count == "auto";
  if (!is_plain) {
    return changes.leave(script.place(line.count_at), script.line(line.count_at), "count",
                         {{"cards", wanted}, {"count", std::string(line.count)}});
  }
  changes.replace(script.place(line.count_at), line.count_at,
                  line.count_at + static_cast<std::uint32_t>(line.count.size()), wanted,
                  Proof::kNeeded);
}

void launch_listed(const Script& script, std::uint32_t at, std::string_view python,
                   const Cards& cards, Changes& changes) {
  const std::string_view path = listed_path(script.text(), at + python.size());
  if (path.empty() || !starts_program(script, path, cards, false)) return;
  const char quote = script.text()[at + python.size()];
  changes.replace(script.place(at), at, at + static_cast<std::uint32_t>(python.size()),
                  format("torchrun{0}, {0}--nproc_per_node={1}", quote, cards.count),
                  Proof::kNeeded);
}

void launch(const Script& script, std::uint32_t at, std::string_view python, const Cards& cards,
            Changes& changes) {
  const Line line = read_line(script.text(), at, python);
  if (line.path.empty()) return launch_listed(script, at, python, cards, changes);
  if (!starts_program(script, line.path, cards, line.has_launcher)) return;
  const std::size_t visible = count_visible(script, at);
  if (visible > 0 && visible < cards.count) {
    return changes.leave(
        script.place(at), script.line(at), "visible",
        {{"cards", std::to_string(cards.count)}, {"visible", std::to_string(visible)}});
  }
  if (line.has_launcher) return set_count(script, line, cards, changes);
  if (!line.words.empty()) {
    return changes.replace(script.place(at), line.path_at, line.path_at,
                           format("-m torch.distributed.run --nproc_per_node={} ", cards.count),
                           Proof::kNeeded);
  }
  changes.replace(script.place(at), at, at + static_cast<std::uint32_t>(python.size()),
                  format("torchrun --nproc_per_node={}", cards.count), Proof::kNeeded);
}

void visit(const Script& script, World& world, Changes& changes) {
  if (!world.cards.is_asked()) return;
  for (const std::string_view word : {"python", "python3", "torchrun"}) {
    for (const std::uint32_t at : script.find_words(word))
      launch(script, at, word, world.cards, changes);
  }
}

}  // namespace

extern const Rule launch_lines = {
    .code = "P081",
    .severity = diag::Severity::kError,
    .files = {project::FileKind::kShell, project::FileKind::kMakefile,
              project::FileKind::kDockerfile, project::FileKind::kMarkdown,
              project::FileKind::kYaml},
    .script = visit,
};

}  // namespace godwit::port::rules
