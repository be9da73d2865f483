// Building operators and extensions needs a compiler and a cmake that are new enough.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  bool is_judged = false;
  for (const Requirement& row : context.knowledge.requirements) {
    if ((row.component != "gcc" && row.component != "cmake") || !row.applies(context.environment))
      continue;
    const Found found = component(context.environment, row.component);
    const auto version = found.version();
    is_judged = is_judged || version;
    if (!version || row.range.contains(*version)) continue;
    findings.push_back(finding("D015", row.severity, found.source,
                               {{"tool", row.component},
                                {"found", found.value},
                                {"range", row.range.text()},
                                {"cann", context.environment.cann.value}}));
  }
  return is_judged ? Verdict::kJudged : Verdict::kUnknown;
}

}  // namespace

extern const Check build_tool = {.code = "D015", .run = run};

}  // namespace godwit::doctor::checks
