// The driver itself reports that a device is not well.
#include "base/text.h"
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  if (!context.has_npu()) return Verdict::kNotApplicable;
  bool is_judged = false;
  for (const Npu& npu : context.environment.npus) {
    is_judged = is_judged || !npu.health.empty();
    if (npu.health.empty() || equals_ignoring_case(npu.health, "OK")) continue;
    const bool is_grave =
        equals_ignoring_case(npu.health, "Alarm") || equals_ignoring_case(npu.health, "Critical");
    findings.push_back(finding(
        "D016", is_grave ? diag::Severity::kError : diag::Severity::kWarning, npu.source,
        {{"card", npu.card}, {"chip", npu.chip}, {"name", npu.name}, {"health", npu.health}}));
  }
  return is_judged ? Verdict::kJudged : Verdict::kUnknown;
}

}  // namespace

extern const Check npu_health = {.code = "D016", .run = run};

}  // namespace godwit::doctor::checks
