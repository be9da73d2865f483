// The team's own requirement matrix asks for releases that do not exist together.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  if (context.requirements.empty()) return Verdict::kNotApplicable;
  const Environment nothing;
  const Plan plan = solve(context.knowledge, nothing,
                          constraints_of(context.knowledge, nothing, {}, context.requirements));
  if (plan.conflict.empty()) return Verdict::kJudged;
  std::string all;
  for (const Constraint& constraint : plan.conflict)
    all += (all.empty() ? "" : "; ") + constraint.text();
  diag::Finding found = finding("D024", diag::Severity::kWarning, "", {{"conflict", all}});
  found.place = plan.conflict.front().place;
  findings.push_back(std::move(found));
  return Verdict::kJudged;
}

}  // namespace

extern const Check requirement_contradiction = {.code = "D024", .run = run};

}  // namespace godwit::doctor::checks
