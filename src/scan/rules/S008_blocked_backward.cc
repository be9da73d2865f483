// An API that runs forward and has no backward kernel on the chip: training stops at its gradient.
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
extern const Rule blocked_backward = {
    .code = "S008",
    .severity = diag::Severity::kError,
    .verdicts = {facts::Verdict::kBlockedBackward},
    .judge = judge_every_place,
};

}  // namespace godwit::scan::rules
