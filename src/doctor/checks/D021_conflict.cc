// No releases satisfy what is installed and what the project asks for: the smallest set that
// contradicts.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  if (context.plan.conflict.empty()) return Verdict::kJudged;
  diag::Finding found = finding("D021", diag::Severity::kError, "", {});
  std::string all, given_up;
  for (const Constraint& constraint : context.plan.conflict) {
    all += (all.empty() ? "" : "; ") + constraint.text();
    if (found.place.file.empty()) found.place = constraint.place;
  }
  for (const Constraint& constraint : context.plan.given_up) {
    given_up += (given_up.empty() ? "" : "; ") + constraint.text();
  }
  if (found.place.file.empty()) found.place.file = context.plan.conflict.front().source;
  found.args = {{"conflict", all}, {"given_up", given_up}};
  found.variant = context.plan.conflict.size() == 1 ? "single" : "";
  findings.push_back(std::move(found));
  return Verdict::kJudged;
}

}  // namespace

extern const Check conflict = {.code = "D021", .run = run};

}  // namespace godwit::doctor::checks
