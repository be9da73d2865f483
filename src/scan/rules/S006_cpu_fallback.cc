// An API without an NPU operator falls back to the host: copies to and fro, one warning, no error.
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
namespace {

void judge(const Rule& rule, const Scene& scene, const Api& api, Findings& out) {
  out.push_back(make_verdict(rule, scene, api, only_gradient(api.eager) ? "gradient" : ""));
}

}  // namespace

extern const Rule cpu_fallback = {
    .code = "S006",
    .severity = diag::Severity::kWarning,
    .verdicts = {facts::Verdict::kCpuFallback},
    .judge = judge,
};

}  // namespace godwit::scan::rules
