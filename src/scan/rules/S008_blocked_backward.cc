// An API that runs forward and has no backward kernel on the chip: training stops at its gradient.
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
namespace {

void judge(const Rule& rule, const Scene& scene, const Api& api, Findings& out) {
  add_verdict(rule, scene, api, runs_with_jit_off(api.eager) ? "jit" : "", out);
}

}  // namespace

extern const Rule blocked_backward = {
    .code = "S008",
    .severity = diag::Severity::kError,
    .verdicts = {facts::Verdict::kBlockedBackward},
    .judge = judge,
};

}  // namespace godwit::scan::rules
