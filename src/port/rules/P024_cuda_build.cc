// Questions about the CUDA build, and extensions compiled for it: nothing on the NPU answers them.
#include "base/text.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

void visit(const UseSite& site, World&, Changes& changes) {
  if (site.name.starts_with("torch._C.") && !contains(site.name, "_cuda")) return;
  const bool is_extension = site.name.starts_with("torch.utils.cpp_extension");
  changes.leave(site.subject, site.use.node, is_extension ? "extension" : "left",
                {{"name", std::string(site.name)}});
}

}  // namespace

extern const Rule cuda_build = {
    .code = "P024",
    .severity = diag::Severity::kWarning,
    .names = {"torch.version.cuda", "torch.utils.cpp_extension.CUDAExtension",
              "torch.utils.cpp_extension.CUDA_HOME", "torch.utils.cpp_extension.load",
              "torch.utils.cpp_extension.load_inline", "torch._C.*"},
    .use = visit,
};

}  // namespace godwit::port::rules
