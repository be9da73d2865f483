// device_map="auto": the loader hands bare device numbers to torch, which read them as CUDA.
#include "scan/role.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  const Role role = role_of(site.module, site.node);
  if (is_in_effect(role) && role.name == "device_map") out.push_back(site.finding());
}

}  // namespace

extern const Rule device_map = {
    .code = "S066",
    .severity = diag::Severity::kWarning,
    .strings = {"auto", "balanced", "balanced_low_0", "sequential"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
