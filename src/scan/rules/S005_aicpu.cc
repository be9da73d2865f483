// An API that runs on the AI CPU: right, but slow.
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
extern const Rule aicpu = {
    .code = "S005",
    .severity = diag::Severity::kWarning,
    .verdicts = {facts::Verdict::kAicpu},
    .judge = judge_once,
};

}  // namespace godwit::scan::rules
