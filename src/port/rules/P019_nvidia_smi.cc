// Programs of CUDA: those of CANN have other options and another output.
#include <utility>

#include "base/text.h"
#include "port/literals.h"

namespace godwit::port::rules {
namespace {

constexpr std::pair<std::string_view, std::string_view> kPrograms[] = {
    {"nvcc", "bisheng"}, {"nsys", "msprof"}, {"ncu", "msprof op"}, {"nvprof", "msprof"}};

// `module load cuda/12.1 cudnn`, `ml cuda`: environment modules of a cluster.
void visit_modules(const Script& script, Changes& changes) {
  std::uint32_t offset = 0;
  for (const std::string_view line : split(script.text(), '\n')) {
    const std::string_view text = trim(line);
    const bool loads = text.starts_with("module load ") || text.starts_with("module add ") ||
                       text.starts_with("module swap ") || text.starts_with("ml ");
    const std::string lower = loads ? to_lower(text) : std::string();
    const bool is_cuda = contains(lower, "cuda") || contains(lower, "cudnn") ||
                         contains(lower, "nccl") || contains(lower, "nvhpc");
    const auto at = offset + static_cast<std::uint32_t>(text.data() - line.data());
    if (is_cuda && !script.is_silent(at))
      changes.leave(script.place(at), std::string(text), "module");
    offset += static_cast<std::uint32_t>(line.size()) + 1;
  }
}

void visit_script(const Script& script, World&, Changes& changes) {
  if (script.file().kind == project::FileKind::kShell) visit_modules(script, changes);
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
