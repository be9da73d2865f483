// The chip that was asked for is not the chip of this machine.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  if (!context.asked || !context.found) return Verdict::kNotApplicable;
  if (context.asked->family == context.found->family) return Verdict::kJudged;
  findings.push_back(
      finding("D020", diag::Severity::kWarning, context.environment.npus.front().source,
              {{"asked", context.asked->soc_version}, {"found", context.found->soc_version}}));
  return Verdict::kJudged;
}

}  // namespace

extern const Check other_chip = {.code = "D020", .run = run};

}  // namespace godwit::doctor::checks
