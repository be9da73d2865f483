// APIs that work only while jit_compile is on: fine by default on some chips, errors where it is
// off.
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
namespace {

bool is_on(const Scene& scene) {
  return facts::is_yes(scene.soc().jit_compile_default) && !scene.jit_turned_off;
}

void judge(const Rule& rule, const Scene& scene, const Api& api, Findings& out) {
  if (!is_on(scene)) add_verdict(rule, scene, api, "off", out);
}

void finish(const Rule& rule, const Scene& scene, Findings& out) {
  if (!is_on(scene)) return;
  const std::size_t before = out.size();
  add_summary(rule, scene, {facts::Verdict::kAclopOnly}, out);
  for (std::size_t i = before; i < out.size(); ++i) {
    out[i].variant = "on";
    out[i].severity = diag::Severity::kNote;
  }
}

}  // namespace

extern const Rule aclop_only = {
    .code = "S003",
    .severity = diag::Severity::kError,
    .verdicts = {facts::Verdict::kAclopOnly},
    .judge = judge,
    .finish = finish,
};

}  // namespace godwit::scan::rules
