// Images and wheels of CUDA in Dockerfiles and other build files: an NPU machine needs an image
// with CANN, which depends on what is installed on it.
#include "base/text.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

constexpr std::string_view kInstallers[] = {"pip install",   "pip3 install", "conda install",
                                            "mamba install", "apt install",  "apt-get install",
                                            "yum install",   "dnf install"};

// FROM of a Dockerfile; image, runtime and driver of a compose file.
bool is_cuda_image(std::string_view line) {
  const std::string text = to_lower(line);
  const bool is_from = text.starts_with("from ") || text.starts_with("image:");
  if (is_from)
    return contains(text, "nvidia") || contains(text, "cuda") || contains(text, "nvcr.io");
  return text.starts_with("runtime: nvidia") || text.starts_with("driver: nvidia") ||
         text.starts_with("- driver: nvidia") || text.starts_with("nvidia.com/gpu");
}

// pip and conda by version tags and names; the package managers of systems by "cuda" as a name.
bool installs_cuda(std::string_view line) {
  bool installs = false;
  for (const std::string_view installer : kInstallers) {
    installs = installs || contains(line, installer);
  }
  if (!installs) return false;
  for (const std::string_view word : {"whl/cu1", "+cu1", "cudatoolkit", "pytorch-cuda", " cuda-",
                                      " nvidia-", " libcudnn", " libnccl"}) {
    if (contains(line, word)) return true;
  }
  return false;
}

// An entry of a conda environment: "- pytorch-cuda=12.1".
bool asks_conda(std::string_view line) {
  for (const std::string_view name : {"- pytorch-cuda", "- cudatoolkit", "- cuda-", "- cudnn"}) {
    if (line.starts_with(name)) return true;
  }
  return false;
}

void visit(const Script& script, World&, Changes& changes) {
  std::uint32_t offset = 0;
  for (const std::string_view line : split(script.text(), '\n')) {
    const std::string_view text = trim(line);
    const bool is_code = !text.empty() && !script.is_silent(offset);
    const bool is_image = is_code && is_cuda_image(text);
    if (is_image || (is_code && (installs_cuda(text) || asks_conda(text))))
      changes.leave(script.place(offset), std::string(text), is_image ? "image" : "install");
    offset += static_cast<std::uint32_t>(line.size()) + 1;
  }
}

}  // namespace

extern const Rule cuda_images = {
    .code = "P049",
    .severity = diag::Severity::kWarning,
    .files = {project::FileKind::kDockerfile, project::FileKind::kShell,
              project::FileKind::kMakefile, project::FileKind::kYaml},
    .script = visit,
};

}  // namespace godwit::port::rules
