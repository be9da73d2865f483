// An API of torch_npu itself that this chip lacks: written for another NPU.
#include "scan/rule.h"
#include "scan/verdict_args.h"

namespace godwit::scan::rules {
namespace {

// Without an operator of that name in the tables, the page alone speaks: a warning.
void finish(const Rule& rule, const Scene& scene, Findings& out) {
  for (const Api& api : scene.inventory.apis()) {
    if (api.said_by != rule.code || api.on_device().empty()) continue;
    const bool is_proven = api.eager.verdict >= facts::Verdict::kBlockedBackward;
    diag::Finding finding = make_verdict(rule, scene, api, is_proven ? "" : "unlisted");
    if (!is_proven) finding.severity = diag::Severity::kWarning;
    out.push_back(std::move(finding));
  }
}

}  // namespace

extern const Rule custom_api = {
    .code = "S011",
    .severity = diag::Severity::kError,
    .finish = finish,
};

}  // namespace godwit::scan::rules
