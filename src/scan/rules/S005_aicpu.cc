// An API that runs on the AI CPU: right, but slow.
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
namespace {

void judge(const Rule& rule, const Scene& scene, const Api& api, Findings& out) {
  out.push_back(make_verdict(rule, scene, api, only_gradient(api.eager) ? "gradient" : ""));
}

}  // namespace

extern const Rule aicpu = {
    .code = "S005",
    .severity = diag::Severity::kWarning,
    .verdicts = {facts::Verdict::kAicpu},
    .judge = judge,
};

}  // namespace godwit::scan::rules
