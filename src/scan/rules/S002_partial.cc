// An API of which only some forms have kernels: the arguments of a call decide, where they are
// written out.
#include <algorithm>

#include "scan/arguments.h"
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
namespace {

// Only a gradient that some forms need is missing: most uses never meet it.
bool only_gradients(const facts::EagerVerdict& verdict) {
  return std::all_of(verdict.overloads.begin(), verdict.overloads.end(), [&](const auto& overload) {
    const auto& all = verdict.offenders;
    return overload.backward || std::find(all.begin(), all.end(), overload.overload) == all.end();
  });
}

// The verdict narrowed to what this call reaches.
Api narrowed(const Scene& scene, const Api& api, const ApiPlace& place) {
  Api one = api;
  one.places = {place};
  one.on_host = 0;
  const auto reached = reached_operators(api.name, scene.project.modules[place.module], place.call);
  if (reached) one.eager.offenders = offenders_among(api.eager, *reached);
  return one;
}

void judge(const Rule& rule, const Scene& scene, const Api& api, Findings& out) {
  const bool gradients = only_gradients(api.eager);
  for (const ApiPlace& place : api.on_device()) {
    if (place.reach == Reach::kSupported) continue;
    const bool blocked = place.reach == Reach::kBlocked;
    const Api one = narrowed(scene, api, place);
    const bool jit = blocked && runs_with_jit_off(one.eager);
    diag::Finding finding = make_verdict(rule, scene, one,
                                         jit         ? "blocked_jit"
                                         : blocked   ? "blocked"
                                         : gradients ? "gradient"
                                                     : "");
    if (blocked) finding.severity = diag::Severity::kError;
    if (!blocked && gradients) finding.severity = diag::Severity::kNote;
    out.push_back(std::move(finding));
  }
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
