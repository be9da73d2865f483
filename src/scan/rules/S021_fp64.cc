// Double precision: the chip has none, so tensors become FP32 or the operator runs on the AI CPU.
#include "scan/host.h"
#include "scan/role.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  if (!facts::is_no(site.scene.soc().fp64)) return;
  if (site.kind == Site::Kind::kString) {
    const Role role = role_of(site.module, site.node);
    if (!is_in_effect(role) || !names_dtype(role.name)) return;
    out.push_back(site.finding());
    return;
  }
  if (follows_move_to_host(site.module, site.node)) return;
  const bool method = site.last_part() == "double" && site.name != "torch.double";
  if (method && !site.is_call()) return;
  if (!method && role_of(site.module, site.node).kind == RoleKind::kCompared) return;
  out.push_back(site.finding());
}

}  // namespace

extern const Rule fp64 = {
    .code = "S021",
    .severity = diag::Severity::kWarning,
    .once_per_file = true,
    .names = {"torch.float64", "torch.double", "*.double", "torch.DoubleTensor",
              "torch.cuda.DoubleTensor"},
    .strings = {"torch.float64", "torch.double"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
