// The operator compiler of CANN is Python: without its packages operators fail to compile.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  const Environment& environment = context.environment;
  if (!environment.cann.known()) return Verdict::kNotApplicable;
  if (!environment.has_all_packages) return Verdict::kUnknown;
  std::string missing;
  for (const Requirement& row : context.knowledge.requirements) {
    if (!row.is_required || row.component == "python" || !row.applies(environment)) continue;
    if (!environment.package(row.component))
      missing += (missing.empty() ? "" : " ") + row.component;
  }
  if (missing.empty()) return Verdict::kJudged;
  // Chips that compile operators while running need them at once, the others for some operators
  // only.
  const facts::Soc* const soc = context.soc();
  const bool compiles = soc && soc->jit_compile_default == facts::Flag::kYes;
  findings.push_back(finding("D010", compiles ? diag::Severity::kError : diag::Severity::kWarning,
                             environment.python.source,
                             {{"missing", missing}, {"cann", environment.cann.value}}));
  return Verdict::kJudged;
}

}  // namespace

extern const Check package_missing = {.code = "D010", .run = run};

}  // namespace godwit::doctor::checks
