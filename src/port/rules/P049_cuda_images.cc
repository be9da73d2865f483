// Images and wheels of CUDA in Dockerfiles and other build files: an NPU machine needs an image
// with CANN, which depends on what is installed on it.
#include "base/text.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

bool is_cuda_image(std::string_view line) {
  if (!line.starts_with("FROM ") && !line.starts_with("from ")) return false;
  return contains(line, "nvidia") || contains(line, "cuda") || contains(line, "nvcr.io");
}

bool installs_cuda(std::string_view line) {
  const bool installs = contains(line, "pip install") || contains(line, "conda install") ||
                        contains(line, "pip3 install");
  return installs && (contains(line, "whl/cu1") || contains(line, "+cu1") ||
                      contains(line, "cudatoolkit") || contains(line, "pytorch-cuda"));
}

void visit(const Script& script, World&, Changes& changes) {
  std::uint32_t offset = 0;
  for (const std::string_view line : split(script.text(), '\n')) {
    const std::string_view text = trim(line);
    const bool is_code = !text.empty() && !script.is_silent(offset);
    const bool is_image = is_code && is_cuda_image(text);
    if (is_image || (is_code && installs_cuda(text)))
      changes.leave(script.place(offset), std::string(text), is_image ? "image" : "install");
    offset += static_cast<std::uint32_t>(line.size()) + 1;
  }
}

}  // namespace

extern const Rule cuda_images = {
    .code = "P049",
    .severity = diag::Severity::kWarning,
    .files = {project::FileKind::kDockerfile, project::FileKind::kShell,
              project::FileKind::kMakefile},
    .script = visit,
};

}  // namespace godwit::port::rules
