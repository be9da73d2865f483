// Options of the project's own programs in scripts: --device cuda follows the option in Python.
#include "base/text.h"
#include "port/literals.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

bool is_option(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

// Between an option and its value; a comma only in a list of texts: ["--device", "cuda"].
bool is_between(std::string_view text, std::size_t at) {
  const char c = text[at];
  return c == ' ' || c == '=' || c == '"' || (c == ',' && at > 0 && text[at - 1] == '"');
}

// The option word in front of `at`: "--device cuda" and "--device=cuda" give "device".
std::string_view option_before(std::string_view text, std::uint32_t at) {
  std::size_t end = at;
  while (end > 0 && is_between(text, end - 1)) --end;
  std::size_t begin = end;
  while (begin > 0 && is_option(text[begin - 1])) --begin;
  const std::string_view word = text.substr(begin, end - begin);
  return word.starts_with("--") ? word.substr(2) : std::string_view();
}

void rename(const Script& script, std::string_view word, std::string_view by, Meaning meaning,
            World& world, Changes& changes) {
  for (const std::uint32_t at : script.find_words(word)) {
    const std::string_view option = option_before(script.text(), at);
    const std::string_view rest = script.text().substr(at + word.size());
    if (option.empty() || rest.starts_with(',')) continue;  // --trace=cuda,nvtx
    if (is_portable(world)) {
      changes.as(diag::Severity::kNote)
          .leave(script.place(at), script.line(at), "portable",
                 {{"option", std::string(option)}, {"text", std::string(word)}});
    } else if (world.flow.slots().has(world.flow.option_slot(option), meaning)) {
      changes.replace(script.place(at), at, at + static_cast<std::uint32_t>(word.size()),
                      std::string(by), Proof::kFlow);
    } else {
      changes.leave(script.place(at), script.line(at), "unproven",
                    {{"option", std::string(option)}, {"text", std::string(word)}});
    }
  }
}

void visit(const Script& script, World& world, Changes& changes) {
  rename(script, "cuda", "npu", Meaning::kDevice, world, changes);
  rename(script, "nccl", "hccl", Meaning::kBackend, world, changes);
}

}  // namespace

extern const Rule script_options = {
    .code = "P026",
    .severity = diag::Severity::kWarning,
    .files = {project::FileKind::kShell, project::FileKind::kDockerfile,
              project::FileKind::kMakefile, project::FileKind::kMarkdown, project::FileKind::kYaml},
    .script = visit,
};

}  // namespace godwit::port::rules
