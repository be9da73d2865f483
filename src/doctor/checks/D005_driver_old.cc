// CANN needs a driver of its own time or newer; an older one fails when the device is opened.
#include "base/text.h"
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  const Environment& environment = context.environment;
  if (!environment.cann.known() || !environment.driver.known()) return Verdict::kNotApplicable;
  const std::vector<std::string> kits = context.knowledge.kits_of(environment.cann.value);
  const auto driver = environment.driver.version();
  if (kits.empty() || !driver) return Verdict::kUnknown;
  if (drivers_for(kits).contains(*driver)) return Verdict::kJudged;
  const auto [software, beside] = context.knowledge.kits_beside(environment.cann.value);
  const bool is_listed_beside = !beside.empty() && drivers_for(beside).contains(*driver);
  findings.push_back(finding("D005",
                             is_listed_beside ? diag::Severity::kWarning : diag::Severity::kError,
                             environment.driver.source,
                             {{"driver", driver->text()},
                              {"cann", environment.cann.value},
                              {"listed", join(kits, ", ")},
                              {"software", software}}));
  if (is_listed_beside) findings.back().variant = "beside";
  return Verdict::kJudged;
}

}  // namespace

extern const Check driver_old = {.code = "D005", .run = run};

}  // namespace godwit::doctor::checks
