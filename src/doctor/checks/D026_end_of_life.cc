// A torch_npu past its end of life gets no more fixes.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  const Package* const torch_npu = context.environment.package("torch_npu");
  if (!torch_npu) return Verdict::kNotApplicable;
  const facts::VersionRow* const row = context.knowledge.pair_of(torch_npu->version);
  if (!row) return Verdict::kUnknown;
  if (row->status != "eol") return Verdict::kJudged;
  findings.push_back(finding("D026", diag::Severity::kNote, torch_npu->source,
                             {{"torch_npu", torch_npu->version}, {"date", row->eol}}));
  return Verdict::kJudged;
}

}  // namespace

extern const Check end_of_life = {.code = "D026", .run = run};

}  // namespace godwit::doctor::checks
