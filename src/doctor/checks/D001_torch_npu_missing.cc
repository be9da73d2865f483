// torch alone does not know the NPU: torch_npu must stand beside it.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  const Environment& environment = context.environment;
  const Package* const torch = environment.package("torch");
  if (!torch) return environment.has_all_packages ? Verdict::kNotApplicable : Verdict::kUnknown;
  if (environment.package("torch_npu")) return Verdict::kJudged;
  if (!environment.has_all_packages) return Verdict::kUnknown;
  // On a machine without an NPU, often the one that the project comes from, this is as it should
  // be.
  const auto severity = context.has_npu() ? diag::Severity::kError : diag::Severity::kNote;
  findings.push_back(finding("D001", severity, torch->source, {{"torch", torch->version}}));
  return Verdict::kJudged;
}

}  // namespace

extern const Check torch_npu_missing = {.code = "D001", .run = run};

}  // namespace godwit::doctor::checks
