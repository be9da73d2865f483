// torch_npu has wheels for certain Pythons only, and CANN brings modules for certain Pythons.
#include <algorithm>

#include "base/text.h"
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

// The row of torch_npu, or where there is none yet, that of torch.
const facts::VersionRow* wheels_of(const Context& context, std::string& subject) {
  const Package* const torch_npu = context.environment.package("torch_npu");
  const Package* const torch = context.environment.package("torch");
  if (torch_npu) {
    subject = "torch_npu " + torch_npu->version;
    return context.knowledge.pair_of(torch_npu->version);
  }
  const auto version = torch ? Version::parse(torch->version) : std::nullopt;
  for (const facts::VersionRow& row : context.knowledge.pythons) {
    const auto own = Version::parse(row.torch);
    if (!version || !own || *own != *version) continue;
    subject = "torch " + torch->version;
    return &row;
  }
  return nullptr;
}

void check_wheels(const Context& context, const Version& python, Findings& findings) {
  std::string subject;
  const facts::VersionRow* const row = wheels_of(context, subject);
  if (!row || row->python.empty()) return;
  const std::string minor = python.leading(2);
  if (std::find(row->python.begin(), row->python.end(), minor) != row->python.end()) return;
  findings.push_back(finding(
      "D004", diag::Severity::kError, context.environment.python.source,
      {{"python", python.text()}, {"subject", subject}, {"listed", join(row->python, ", ")}}));
}

void check_rows(const Context& context, const Version& python, Findings& findings) {
  for (const Requirement& row : context.knowledge.requirements) {
    if (row.component != "python" || row.range.contains(python)) continue;
    if (!row.applies(context.environment)) continue;
    const Found subject = component(context.environment, row.subject);
    findings.push_back(finding("D004", row.severity, context.environment.python.source,
                               {{"python", python.text()},
                                {"subject", format("{} {}", row.subject, subject.value)},
                                {"listed", row.range.text()}}));
  }
}

Verdict run(const Context& context, Findings& findings) {
  const auto python = context.environment.python.version();
  if (!python) return Verdict::kUnknown;
  check_wheels(context, *python, findings);
  check_rows(context, *python, findings);
  return Verdict::kJudged;
}

}  // namespace

extern const Check python = {.code = "D004", .run = run};

}  // namespace godwit::doctor::checks
