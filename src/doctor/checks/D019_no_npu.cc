// There is no NPU on this machine: what needs one cannot be checked, the plan can.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  const Environment& environment = context.environment;
  if (!environment.has_looked_for_npus) return Verdict::kUnknown;
  if (context.has_npu() || environment.npu_smi_error.known()) return Verdict::kJudged;
  findings.push_back(finding("D019", diag::Severity::kNote, "npu-smi info", {}));
  return Verdict::kJudged;
}

}  // namespace

extern const Check no_npu = {.code = "D019", .run = run};

}  // namespace godwit::doctor::checks
