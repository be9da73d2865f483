// Shell lines and magics of notebooks: variables are renamed as in a script, the rest is said.
#include "base/file.h"
#include "base/text.h"
#include "port/rule.h"
#include "port/style.h"
#include "port/variables.h"

namespace godwit::port::rules {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(at, end - at);
}

// NAME=value, and `%env NAME value`.
std::string_view value_behind(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != '=' && text[at] != ' ')) return {};
  return text.substr(at + 1, text.find_first_of(" \n\r;", at + 1) - at - 1);
}

void judge_word(const Subject& subject, NodeIndex line, std::size_t at, const World& world,
                Changes& changes) {
  const std::string_view text = subject.text(line), word = word_at(text, at);
  const std::string_view value = value_behind(text, at + word.size());
  const auto verdict = judge_variable(word, value.empty() ? nullptr : &value);
  const auto begin = subject[line].begin + static_cast<std::uint32_t>(at);
  if (verdict && verdict->fit == Fit::kRename && !is_portable(world) &&
      !world.unfit_variables.contains(word)) {
    return changes.replace(subject, begin, begin + static_cast<std::uint32_t>(word.size()),
                           verdict->ascend, Proof::kTable);
  }
  const bool is_variable = verdict && verdict->fit != Fit::kNotOurs;
  const bool is_ours = is_variable || word == "cuda" || word == "nccl" || word == "nvidia";
  if (is_ours) changes.leave(subject, line, "left", {{"name", std::string(word)}});
}

// The notebook reader has put "#" in the place of "!" and "%"; the file tells them from comments.
void visit(const Subject& subject, World& world, Changes& changes) {
  const project::Module& module = subject.module();
  if (module.file().kind != project::FileKind::kNotebook) return;
  std::string json;
  const auto& nodes = subject.tree().nodes();
  for (NodeIndex node = 0; node < nodes.size(); ++node) {
    if (nodes[node].kind != Kind::kComment) continue;
    if (json.empty())
      json = read_file(world.project.listing.root / module.file().path).value_or(" ");
    const std::int64_t at = module.notebook().json_offset(nodes[node].begin);
    if (at < 0 || static_cast<std::size_t>(at) >= json.size()) continue;
    if (json[static_cast<std::size_t>(at)] != '!' && json[static_cast<std::size_t>(at)] != '%')
      continue;
    const std::string_view text = subject.text(node);
    for (std::size_t from = 0; from < text.size(); ++from) {
      if (!is_word(text[from]) || (from > 0 && is_word(text[from - 1]))) continue;
      judge_word(subject, node, from, world, changes);
    }
  }
}

}  // namespace

extern const Rule notebook_lines = {
    .code = "P058",
    .severity = diag::Severity::kWarning,
    .module = visit,
};

}  // namespace godwit::port::rules
