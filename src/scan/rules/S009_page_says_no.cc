// An API whose page leaves the chip out while every operator behind it runs: two tables disagree.
#include <algorithm>

#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
namespace {

bool is_left_out(const facts::EagerVerdict& verdict) {
  return std::any_of(verdict.evidence.begin(), verdict.evidence.end(), [](const auto& evidence) {
    return evidence.layer == facts::Layer::kOfficial && evidence.says.starts_with("no");
  });
}

void finish(const Rule& rule, const Scene& scene, Findings& out) {
  for (const Api& api : scene.inventory.apis()) {
    const bool runs = api.eager.verdict <= facts::Verdict::kAicpu;
    if (!api.is_judged || !api.eager.conflict || !runs || !is_left_out(api.eager)) continue;
    if (!api.on_device().empty()) out.push_back(make_verdict(rule, scene, api, ""));
  }
}

}  // namespace

extern const Rule page_says_no = {
    .code = "S009",
    .severity = diag::Severity::kNote,
    .finish = finish,
};

}  // namespace godwit::scan::rules
