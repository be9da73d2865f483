// An API of which only some forms have kernels: the arguments of a call decide, where they are
// written out.
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
namespace {

void judge(const Rule& rule, const Scene& scene, const Api& api, Findings& out) {
  const std::size_t before = out.size();
  add_verdict(rule, scene, api, {}, out);
  std::size_t kept = before;
  for (std::size_t i = 0; i < api.places.size(); ++i) {
    if (api.places[i].reach == Reach::kSupported) continue;
    diag::Finding& finding = out[before + i];
    if (api.places[i].reach == Reach::kBlocked) {
      finding.variant = "blocked";
      finding.severity = diag::Severity::kError;
    }
    if (kept != before + i) out[kept] = std::move(finding);
    ++kept;
  }
  out.resize(kept);
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
