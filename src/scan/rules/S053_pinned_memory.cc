// Pinned memory asks for a CUDA device unless pin_memory_device names the NPU.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  const auto pinned = site.argument("pin_memory");
  if (pinned == syntax::kNoNode || site.text(pinned) == "False") return;
  const auto device = site.literal("pin_memory_device");
  if (device && !device->starts_with("cuda") && !device->empty()) return;
  if (!device && site.argument("pin_memory_device") != syntax::kNoNode) return;
  diag::Finding finding = site.finding({}, device && !device->empty() ? "cuda" : "");
  if (device && !device->empty()) finding.severity = diag::Severity::kError;
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule pinned_memory = {
    .code = "S053",
    .severity = diag::Severity::kNote,
    .once_per_file = true,
    .names = {"torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
