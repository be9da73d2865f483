// A newer onnx writes opsets that the converter of CANN does not read.
#include "doctor/check.h"

namespace godwit::doctor::checks {
namespace {

Verdict run(const Context& context, Findings& findings) {
  const Package* const onnx = context.environment.package("onnx");
  const auto version = onnx ? Version::parse(onnx->version) : std::nullopt;
  if (!version) return Verdict::kNotApplicable;
  for (const Requirement& row : context.knowledge.requirements) {
    if (row.component != "onnx" || row.range.contains(*version)) continue;
    findings.push_back(finding("D011", row.severity, onnx->source,
                               {{"onnx", onnx->version}, {"range", row.range.text()}}));
  }
  return Verdict::kJudged;
}

}  // namespace

extern const Check onnx_writer = {.code = "D011", .run = run};

}  // namespace godwit::doctor::checks
