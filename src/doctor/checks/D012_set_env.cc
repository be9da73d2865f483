// Programs find CANN through the variables of set_env.sh.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  const Environment& environment = context.environment;
  const auto home = environment.variables.find("ASCEND_HOME_PATH");
  const bool is_set = home != environment.variables.end();
  if (!environment.cann_root.known() && !is_set) return Verdict::kNotApplicable;
  if (!environment.has_variables) return Verdict::kUnknown;
  if (!is_set) {
    findings.push_back(finding("D012", diag::Severity::kWarning, environment.cann_root.value,
                               {{"root", environment.cann_root.value}}));
  } else if (!environment.is_described && environment.cann_root.value != home->second) {
    diag::Finding found = finding("D012", diag::Severity::kError, home->second,
                                  {{"path", home->second}, {"root", environment.cann_root.value}});
    found.variant = "stale";
    findings.push_back(std::move(found));
  }
  return Verdict::kJudged;
}

}  // namespace

extern const Check set_env = {.code = "D012", .run = run};

}  // namespace godwit::doctor::checks
