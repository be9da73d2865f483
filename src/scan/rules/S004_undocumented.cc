// APIs whose kernels are registered while the documentation leaves the chip out: they run, without
// a promise.
#include "base/text.h"
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
namespace {

void finish(const Rule& rule, const Scene& scene, Findings& out) {
  add_summary(rule, scene, {facts::Verdict::kUndocumented, facts::Verdict::kAclopOrUndocumented},
              out);
}

}  // namespace

extern const Rule undocumented = {
    .code = "S004",
    .severity = diag::Severity::kNote,
    .finish = finish,
};

}  // namespace godwit::scan::rules
