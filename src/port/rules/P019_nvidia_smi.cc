// nvidia-smi: npu-smi exists, but its options and output are its own.
#include "port/literals.h"

namespace godwit::port::rules {
namespace {

void visit_script(const Script& script, World&, Changes& changes) {
  for (const std::uint32_t at : script.find_words("nvidia-smi"))
    changes.leave(script.place(at), script.line(at), "left");
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
