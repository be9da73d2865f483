// Functions of autocast that mean CUDA without saying so.
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

void visit(const UseSite& site, World&, Changes& changes) {
  if (site.name == "torch.is_autocast_enabled" || site.name == "torch.set_autocast_enabled") {
    if (site.use.call == kNoNode) return;
    const std::size_t usual = site.name == "torch.is_autocast_enabled" ? 0 : 1;
    if (site.subject.module().arguments(site.use.call).size() > usual)
      return;  // names the device type
  }
  changes.leave(site.subject, site.use.node, "left", {{"name", std::string(site.name)}});
}

}  // namespace

extern const Rule gpu_autocast = {
    .code = "P010",
    .severity = diag::Severity::kError,
    .names = {"torch.get_autocast_gpu_dtype", "torch.set_autocast_gpu_dtype",
              "torch.is_autocast_enabled", "torch.set_autocast_enabled"},
    .use = visit,
};

}  // namespace godwit::port::rules
