// Compiled operators of one chip do not run on another: the first call fails with error 107000.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  const Environment& environment = context.environment;
  // Converting for a chip that is not here needs its operators as well.
  const facts::Soc* const soc = context.soc();
  if (environment.ops.empty() || !soc) return Verdict::kNotApplicable;
  std::string installed;
  for (const OpsPackage& ops : environment.ops) {
    if (ops.family == soc->family) return Verdict::kJudged;
    installed += (installed.empty() ? "" : ", ") + ops.family;
  }
  findings.push_back(
      finding("D008", diag::Severity::kError, environment.ops.front().source,
              {{"installed", installed}, {"soc", soc->soc_version}, {"family", soc->family}}));
  return Verdict::kJudged;
}

}  // namespace

extern const Check ops_of_other_chip = {.code = "D008", .run = run};

}  // namespace godwit::doctor::checks
