// A script that compiles CUDA kernels asks for CUDA and must go on asking for it.
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

bool guard(const Subject& subject, World&, Changes& changes) {
  for (const project::Import& import : subject.module().imports()) {
    const std::string_view target = subject.module().name(import.target);
    const bool compiles = target == "torch.utils.cpp_extension.CUDAExtension" ||
                          target == "torch.utils.cpp_extension.CUDA_HOME" ||
                          target == "torch.utils.cpp_extension.BuildExtension";
    if (!compiles) continue;
    changes.leave(subject, import.statement, "left");
    return true;
  }
  return false;
}

}  // namespace

extern const Rule cuda_build_script = {
    .code = "P032",
    .severity = diag::Severity::kWarning,
    .guard = guard,
};

}  // namespace godwit::port::rules
