// The toolkit alone has no compiled operators: the ops (kernels) package of the chip must be
// installed too.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  const Environment& environment = context.environment;
  if (!environment.cann.known()) return Verdict::kNotApplicable;
  if (!environment.has_all_ops) return Verdict::kUnknown;
  if (!environment.ops.empty()) return Verdict::kJudged;
  findings.push_back(finding("D007", diag::Severity::kError, environment.cann.source,
                             {{"cann", environment.cann.value},
                              {"chip", context.soc() ? context.soc()->short_name : "<chip>"}}));
  return Verdict::kJudged;
}

}  // namespace

extern const Check ops_missing = {.code = "D007", .run = run};

}  // namespace godwit::doctor::checks
