// Comparisons with "cuda": after the port the device says "npu" and another branch is taken.
#include "base/text.h"
#include "scan/role.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  const Role role = role_of(site.module, site.node);
  const bool tested = role.kind == RoleKind::kArgument &&
                      (role.name.ends_with(".startswith") || role.name.ends_with(".endswith"));
  if (role.kind != RoleKind::kCompared && !tested) return;
  out.push_back(site.finding());
}

}  // namespace

extern const Rule device_compared = {
    .code = "S065",
    .severity = diag::Severity::kWarning,
    .once_per_file = true,
    .strings = {"cuda", "cuda:*", "gpu"},
    .answered_by = {"P005"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
