// fused=True of torch's optimizers is a CUDA kernel; on an NPU it falls back to the CPU or is
// refused.
#include "base/text.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  const auto fused = site.argument("fused");
  if (fused == syntax::kNoNode) return;
  const std::string_view text = site.text(fused);
  if (text == "False" || text == "None") return;
  out.push_back(site.finding({{"api", std::string(site.name)}}));
}

}  // namespace

extern const Rule fused_optimizer = {
    .code = "S054",
    .severity = diag::Severity::kWarning,
    .names = {"torch.optim.*"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
