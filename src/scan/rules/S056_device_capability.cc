// Compute capability is a CUDA idea: torch_npu answers None, and code that unpacks it stops.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  if (site.is_call()) out.push_back(site.finding());
}

}  // namespace

extern const Rule device_capability = {
    .code = "S056",
    .severity = diag::Severity::kError,
    .names = {"torch.cuda.get_device_capability"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
