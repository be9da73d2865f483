// npu-smi is installed but shows no device: the driver does not work for this user or container.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  const Found& error = context.environment.npu_smi_error;
  if (!error.known()) return Verdict::kJudged;
  findings.push_back(
      finding("D017", diag::Severity::kError, error.source, {{"answer", error.value}}));
  return Verdict::kJudged;
}

}  // namespace

extern const Check npu_smi = {.code = "D017", .run = run};

}  // namespace godwit::doctor::checks
