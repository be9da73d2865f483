// An API without an NPU operator falls back to the host: copies to and fro, one warning, no error.
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
extern const Rule cpu_fallback = {
    .code = "S006",
    .severity = diag::Severity::kWarning,
    .verdicts = {facts::Verdict::kCpuFallback},
    .judge = judge_once,
};

}  // namespace godwit::scan::rules
