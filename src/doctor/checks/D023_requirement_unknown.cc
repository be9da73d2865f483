// A line of the team's own requirement matrix cannot be judged: the component was not found.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  for (const Pin& line : context.requirements) {
    if (component(context.environment, line.name).version()) continue;
    diag::Finding unknown = finding("D023", diag::Severity::kNote, "",
                                    {{"component", line.name}, {"range", line.range.text()}});
    unknown.place = line.place;
    unknown.snippet = line.snippet;
    findings.push_back(std::move(unknown));
  }
  return context.requirements.empty() ? Verdict::kNotApplicable : Verdict::kJudged;
}

}  // namespace

extern const Check requirement_unknown = {.code = "D023", .run = run};

}  // namespace godwit::doctor::checks
