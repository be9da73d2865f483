// An API whose operator has no kernel on the chip fails at the call.
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
namespace {

void judge(const Rule& rule, const Scene& scene, const Api& api, Findings& out) {
  add_verdict(rule, scene, api, runs_with_jit_off(api.eager) ? "jit" : "", out);
}

}  // namespace

extern const Rule blocked = {
    .code = "S001",
    .severity = diag::Severity::kError,
    .verdicts = {facts::Verdict::kBlocked},
    .judge = judge,
};

}  // namespace godwit::scan::rules
