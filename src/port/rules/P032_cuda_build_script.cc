// A script that compiles CUDA kernels asks for CUDA and must go on asking for it.
#include "port/extensions.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

bool guard(const Subject& subject, World&, Changes& changes) {
  const NodeIndex import = cuda_build_import(subject);
  if (import == kNoNode) return false;
  changes.leave(subject, import, "left");
  return true;
}

}  // namespace

extern const Rule cuda_build_script = {
    .code = "P032",
    .severity = diag::Severity::kWarning,
    .guard = guard,
};

}  // namespace godwit::port::rules
