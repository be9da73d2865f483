// torch_npu is built against one release of torch and loads with no other.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

// Releases that the matrix lacks still carry the number of their torch: 2.7.1.post11 needs 2.7.1.
std::string torch_of(const Context& context, const Package& torch_npu) {
  const facts::VersionRow* const row = context.knowledge.pair_of(torch_npu.version);
  if (row) return row->torch;
  const auto version = Version::parse(torch_npu.version);
  return version ? version->leading(3) : std::string();
}

Verdict run(const Context& context, Findings& findings) {
  const Package* const torch = context.environment.package("torch");
  const Package* const torch_npu = context.environment.package("torch_npu");
  if (!torch || !torch_npu) return Verdict::kNotApplicable;
  const auto needed = Version::parse(torch_of(context, *torch_npu));
  const auto found = Version::parse(torch->version);
  if (!needed || !found) return Verdict::kUnknown;
  if (*needed == *found) return Verdict::kJudged;
  findings.push_back(finding(
      "D002", diag::Severity::kError, torch_npu->source,
      {{"torch_npu", torch_npu->version}, {"torch", torch->version}, {"needed", needed->text()}}));
  return Verdict::kJudged;
}

}  // namespace

extern const Check torch_pair = {.code = "D002", .run = run};

}  // namespace godwit::doctor::checks
