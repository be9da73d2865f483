// A hard-coded device_type="cuda" where a wrong one is ignored: casting or protection is silently
// off.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

bool is_cuda(std::optional<std::string_view> text) { return text && text->starts_with("cuda"); }

void visit(const Site& site, Findings& out) {
  if (!site.is_call()) return;
  if (!is_cuda(site.literal("device_type", 0)) && !is_cuda(site.literal("device", 0))) return;
  out.push_back(site.finding({{"api", std::string(site.name)}}));
}

}  // namespace

extern const Rule device_type = {
    .code = "S050",
    .severity = diag::Severity::kError,
    .names = {"torch.autocast", "torch.amp.autocast", "torch.amp.autocast_mode.autocast",
              "torch.amp.custom_fwd", "torch.amp.custom_bwd", "torch.amp.GradScaler",
              "torch.amp.grad_scaler.GradScaler", "torch.is_autocast_enabled",
              "torch.get_autocast_dtype", "torch.random.fork_rng"},
    .answered_by = {"P009"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
