// A line of the team's own requirement matrix is not met.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  for (const Pin& line : context.requirements) {
    const Found found = component(context.environment, line.name);
    const auto version = found.version();
    if (!version || line.range.contains(*version)) continue;
    diag::Finding missed = finding("D022", diag::Severity::kError, "",
                                   {{"component", line.name},
                                    {"range", line.range.text()},
                                    {"found", found.value},
                                    {"source", found.source}});
    missed.place = line.place;
    missed.snippet = line.snippet;
    findings.push_back(std::move(missed));
  }
  return context.requirements.empty() ? Verdict::kNotApplicable : Verdict::kJudged;
}

}  // namespace

extern const Check requirement = {.code = "D022", .run = run};

}  // namespace godwit::doctor::checks
