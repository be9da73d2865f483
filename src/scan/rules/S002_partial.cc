// An API of which only some forms have kernels: which one the project needs decides.
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
namespace {

void judge(const Rule& rule, const Scene& scene, const Api& api, Findings& out) {
  add_verdict(rule, scene, api, {}, out);
}

}  // namespace

extern const Rule partial = {
    .code = "S002",
    .severity = diag::Severity::kWarning,
    .once_per_file = true,
    .verdicts = {facts::Verdict::kPartial},
    .judge = judge,
};

}  // namespace godwit::scan::rules
