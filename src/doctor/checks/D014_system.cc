// Drivers are built and tested for a list of operating systems per card.
#include <algorithm>

#include "base/text.h"
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

// "22.04" is listed as 22.04; "7" of CentOS may be the listed 7.6, "22.03.1" is a patch of 22.03.
bool is_listed(const SystemRow& row, const std::string& version) {
  return std::any_of(row.versions.begin(), row.versions.end(), [&](const std::string& known) {
    const auto left = Version::parse(known), right = Version::parse(version);
    if (!left || !right) return equals_ignoring_case(known, version);
    return left->has_prefix(*right) || right->has_prefix(*left);
  });
}

Verdict run(const Context& context, Findings& findings) {
  const Environment& environment = context.environment;
  const facts::Soc* const soc = context.soc();
  if (!soc || !context.has_npu()) return Verdict::kNotApplicable;
  if (!environment.os.known() || !environment.os_version.known()) return Verdict::kUnknown;
  std::string listed;
  for (const SystemRow& row : context.knowledge.systems) {
    const bool is_card = contains(environment.npu_product.value, row.product);
    if (environment.npu_product.known() ? !is_card : row.family != soc->family) continue;
    const bool is_same = row.system == environment.os.value;
    if (is_same && is_listed(row, environment.os_version.value)) return Verdict::kJudged;
    listed += format("{}{} {}", listed.empty() ? "" : "; ", row.system, join(row.versions, ", "));
  }
  if (listed.empty()) return Verdict::kUnknown;
  findings.push_back(finding("D014", diag::Severity::kWarning, environment.os.source,
                             {{"os", environment.os.value},
                              {"version", environment.os_version.value},
                              {"listed", listed}}));
  return Verdict::kJudged;
}

}  // namespace

extern const Check system = {.code = "D014", .run = run};

}  // namespace godwit::doctor::checks
