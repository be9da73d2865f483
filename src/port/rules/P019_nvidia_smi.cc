// Programs of CUDA: those of CANN have other options and another output.
#include <utility>

#include "port/literals.h"

namespace godwit::port::rules {
namespace {

constexpr std::pair<std::string_view, std::string_view> kPrograms[] = {
    {"nvcc", "bisheng"}, {"nsys", "msprof"}, {"ncu", "msprof op"}, {"nvprof", "msprof"}};

void visit_script(const Script& script, World&, Changes& changes) {
  for (const std::uint32_t at : script.find_words("nvidia-smi"))
    changes.leave(script.place(at), script.line(at), "left");
  for (const auto& [program, instead] : kPrograms) {
    for (const std::uint32_t at : script.find_words(program)) {
      const bool is_path = at > 0 && (script.text()[at - 1] == '.' || script.text()[at - 1] == '-');
      if (is_path) continue;
      changes.leave(script.place(at), script.line(at), "program",
                    {{"program", std::string(program)}, {"instead", std::string(instead)}});
    }
  }
}

void visit_string(const StringSite& site, World&, Changes& changes) {
  if (!is_message(site)) changes.leave(site.subject, site.node, "left");
}

}  // namespace

extern const Rule nvidia_smi = {
    .code = "P019",
    .severity = diag::Severity::kWarning,
    .strings = {"nvidia-smi"},
    .files = {project::FileKind::kShell, project::FileKind::kDockerfile,
              project::FileKind::kMakefile},
    .string = visit_string,
    .script = visit_script,
};

}  // namespace godwit::port::rules
