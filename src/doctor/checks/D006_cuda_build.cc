// A CUDA build of torch on an NPU machine: gigabytes of CUDA libraries, and code that asks is_cuda.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  const Package* const torch = context.environment.package("torch");
  const bool is_for_npu = context.has_npu() || context.environment.package("torch_npu");
  if (!torch || !is_for_npu) return Verdict::kNotApplicable;
  const Found& cuda = context.environment.torch_cuda;
  if (!cuda.known()) return Verdict::kJudged;
  findings.push_back(finding("D006", diag::Severity::kWarning, torch->source,
                             {{"torch", torch->version}, {"cuda", cuda.value}}));
  return Verdict::kJudged;
}

}  // namespace

extern const Check cuda_build = {.code = "D006", .run = run};

}  // namespace godwit::doctor::checks
