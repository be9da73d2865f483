// An installed library has no form that runs on the chip.
#include "base/text.h"
#include "doctor/check.h"
#include "facts/libraries.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  const facts::Soc* const soc = context.soc();
  if (!soc) return Verdict::kNotApplicable;
  for (const Package& package : context.environment.packages) {
    const auto library = facts::find_library(package.name, *soc);
    if (!library || !*library || (*library)->on_soc != facts::Flag::kNo) continue;
    findings.push_back(finding("D028", diag::Severity::kNote, package.source,
                               {{"library", (*library)->name},
                                {"version", package.version},
                                {"soc", soc->soc_version},
                                {"instead", join((*library)->replacements, ", ")}}));
    findings.back().variant = (*library)->replacements.empty() ? "none" : "";
  }
  return Verdict::kJudged;
}

}  // namespace

extern const Check library_without_support = {.code = "D028", .run = run};

}  // namespace godwit::doctor::checks
