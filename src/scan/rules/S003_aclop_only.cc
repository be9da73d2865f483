// An API that works only while jit_compile is on: fine by default on some chips, an error where it
// is off.
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
namespace {

void judge(const Rule& rule, const Scene& scene, const Api& api, Findings& out) {
  if (facts::is_yes(scene.soc().jit_compile_default) && !scene.jit_turned_off) {
    out.push_back(make_verdict(rule, scene, api, "on"));
    out.back().severity = diag::Severity::kNote;
    return;
  }
  add_verdict(rule, scene, api, "off", out);
}

}  // namespace

extern const Rule aclop_only = {
    .code = "S003",
    .severity = diag::Severity::kError,
    .verdicts = {facts::Verdict::kAclopOnly},
    .judge = judge,
};

}  // namespace godwit::scan::rules
