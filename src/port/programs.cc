// Takes the words of a launch line as they are, unless a shell would have to make sense of them.
#include "port/programs.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/file.h"
#include "base/text.h"
#include "port/imports.h"

namespace godwit::port {
namespace {

using project::FileKind;

constexpr std::size_t kMostPrograms = 3;
constexpr std::uint64_t kMostLaunchBytes = std::uint64_t{1} << 20;

bool starts_python(std::string_view word) {
  const std::string_view name = word.substr(word.rfind('/') + 1);
  return name.starts_with("python") || name == "torchrun";
}

std::string normal(const std::filesystem::path& path) {
  return path.lexically_normal().generic_string();
}

// "python train.py --lr 0.1" → the words and the program, as seen from the root of the project.
bool read_launch(std::string_view line, Program& found) {
  line = trim(line);
  if (line.starts_with('@')) line = trim(line.substr(1));
  if (line.ends_with("\"$@\"")) line = trim(line.substr(0, line.size() - 4));
  if (line.empty() || line.find_first_of("#$|<>&;`\\'\"(){}*") != std::string_view::npos)
    return false;
  std::vector<std::string> words;
  for (const std::string_view word : split_list(line, ' ')) words.emplace_back(word);
  const auto first = std::find_if(words.begin(), words.end(),
                                  [](const std::string& word) { return !contains(word, "="); });
  if (first == words.end() || !starts_python(*first)) return false;
  const auto program = std::find_if(first, words.end(),
                                    [](const std::string& word) { return word.ends_with(".py"); });
  if (program == words.end()) return false;
  found.path = normal(*program);
  if (first != words.begin()) words.insert(words.begin(), "env");
  found.words = std::move(words);
  return true;
}

bool can_launch(FileKind kind) {
  return kind == FileKind::kShell || kind == FileKind::kMakefile || kind == FileKind::kMarkdown;
}

// What the ported project holds in this file.
std::string ported_text(const Plan& plan, const project::File& file) {
  for (const FilePlan& each : plan.files) {
    if (each.path == file.path) return each.written();
  }
  auto text = read_file(plan.root / file.path);
  return text ? *std::move(text) : std::string();
}

// By program, seen from the root or from the folder of the script; the first line wins.
std::map<std::string, Program> launch_lines(const Plan& plan) {
  std::map<std::string, Program> lines;
  for (const project::File& file : plan.listing) {
    if (!can_launch(file.kind) || file.bytes > kMostLaunchBytes) continue;
    const std::string text = ported_text(plan, file);
    const std::string folder = std::filesystem::path(file.path).parent_path().generic_string();
    for (const std::string_view line : split(text, '\n')) {
      Program found;
      if (!read_launch(line, found)) continue;
      lines.emplace(found.path, found);
      if (folder.empty()) continue;
      found.path = normal(std::filesystem::path(folder) / found.path);
      found.folder = folder;
      lines.emplace(found.path, found);
    }
  }
  return lines;
}

std::vector<std::string> own_words(const std::string& path, bool is_shared, std::uint32_t cards) {
  if (!is_shared) return {"python", path};
  return {"torchrun", format("--nproc_per_node={}", cards), path};
}

bool uses_torch(const Subject& subject, const Imports& imports) {
  for (const Subject* const module : imports.reached_from(subject)) {
    for (const project::Import& import : module->module().imports()) {
      const std::string_view target = module->module().name(import.target);
      if (target == "torch" || target.starts_with("torch.")) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Program> find_programs(const Candidates& from, const Plan& plan) {
  std::vector<Program> all;
  for (const TrainingProgram& program : from.cards.programs) {
    if (!from.trains || !program.trains) continue;
    const std::string& path = program.entry->module().file().path;
    const bool is_shared = from.cards.takes(program);
    all.push_back({.path = path, .words = own_words(path, is_shared, from.cards.count)});
  }
  if (all.empty()) {
    const Imports imports(from.project, from.subjects);
    for (const Subject& subject : from.subjects) {
      if (!subject.module().is_entry_script() || !uses_torch(subject, imports)) continue;
      const std::string& path = subject.module().file().path;
      all.push_back({.path = path, .words = own_words(path, false, 1)});
    }
  }
  const auto lines = launch_lines(plan);
  for (Program& program : all) {
    const auto line = lines.find(program.path);
    if (line != lines.end()) program = line->second;
  }
  std::stable_partition(all.begin(), all.end(),
                        [&](const Program& program) { return lines.contains(program.path); });
  if (all.size() > kMostPrograms) all.resize(kMostPrograms);
  return all;
}

}  // namespace godwit::port
