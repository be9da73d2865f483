// FP8 types on a chip without FP8 units.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  if (site.scene.soc().constants["derived"]["fp8_mmad"].boolean(false)) return;
  out.push_back(site.finding({{"name", std::string(site.name)}}));
}

}  // namespace

extern const Rule fp8 = {
    .code = "S025",
    .severity = diag::Severity::kError,
    .once_per_file = true,
    .names = {"torch.float8_*"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
