// APIs that no table names: counted, said once, never guessed.
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
namespace {

void finish(const Rule& rule, const Scene& scene, Findings& out) {
  add_summary(rule, scene, {facts::Verdict::kUnknown}, out);
}

}  // namespace

extern const Rule unknown = {
    .code = "S007",
    .severity = diag::Severity::kNote,
    .finish = finish,
};

}  // namespace godwit::scan::rules
