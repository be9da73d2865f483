// A torch_npu release is built and tested against certain releases of CANN.
#include "base/text.h"
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

std::vector<std::string> listed(const facts::VersionRow& row) {
  std::vector<std::string> all = {row.cann};
  for (const std::string& release : row.cann_also) {
    if (release != row.cann) all.push_back(release);
  }
  return all;
}

Verdict run(const Context& context, Findings& findings) {
  const Environment& environment = context.environment;
  const Package* const torch_npu = environment.package("torch_npu");
  if (!torch_npu || !environment.cann.known()) return Verdict::kNotApplicable;
  const facts::VersionRow* const row = context.knowledge.pair_of(torch_npu->version);
  const auto cann = environment.cann.version();
  if (!row || !cann) return Verdict::kUnknown;
  const std::vector<std::string> releases = listed(*row);
  bool is_older = true;  // than every listed one: functions that torch_npu calls may be missing
  for (const std::string& release : releases) {
    if (is_same_line(release, cann->text())) return Verdict::kJudged;
    const auto known = Version::parse(release);
    is_older = is_older && known && *cann < *known;
  }
  diag::Finding found = finding(
      "D003", is_older ? diag::Severity::kError : diag::Severity::kWarning, environment.cann.source,
      {{"torch_npu", torch_npu->version},
       {"cann", cann->text()},
       {"listed", join(releases, ", ")}});
  found.variant = is_older ? "older" : "";
  findings.push_back(std::move(found));
  return Verdict::kJudged;
}

}  // namespace

extern const Check cann_pair = {.code = "D003", .run = run};

}  // namespace godwit::doctor::checks
