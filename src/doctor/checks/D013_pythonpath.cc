// The operator compiler is found through PYTHONPATH only.
#include "base/text.h"
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  const Environment& environment = context.environment;
  if (!environment.variables.contains("ASCEND_HOME_PATH")) return Verdict::kNotApplicable;
  const auto path = environment.variables.find("PYTHONPATH");
  const std::string value = path == environment.variables.end() ? std::string() : path->second;
  if (contains(value, "/ai_core/tbe")) return Verdict::kJudged;
  findings.push_back(finding("D013", diag::Severity::kWarning, "PYTHONPATH", {{"path", value}}));
  return Verdict::kJudged;
}

}  // namespace

extern const Check pythonpath = {.code = "D013", .run = run};

}  // namespace godwit::doctor::checks
