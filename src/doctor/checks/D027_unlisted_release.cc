// A torch_npu that the version matrix does not know: its pairs cannot be judged.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  const Package* const torch_npu = context.environment.package("torch_npu");
  if (!torch_npu) return Verdict::kNotApplicable;
  if (context.knowledge.pair_of(torch_npu->version)) return Verdict::kJudged;
  findings.push_back(finding("D027", diag::Severity::kNote, torch_npu->source,
                             {{"torch_npu", torch_npu->version}}));
  return Verdict::kUnknown;
}

}  // namespace

extern const Check unlisted_release = {.code = "D027", .run = run};

}  // namespace godwit::doctor::checks
