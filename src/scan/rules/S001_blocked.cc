// An API whose operator has no kernel on the chip fails at the call.
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
extern const Rule blocked = {
    .code = "S001",
    .severity = diag::Severity::kError,
    .verdicts = {facts::Verdict::kBlocked},
    .judge = judge_every_place,
};

}  // namespace godwit::scan::rules
