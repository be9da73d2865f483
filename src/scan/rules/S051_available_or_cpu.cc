// `"cuda" if torch.cuda.is_available() else "cpu"`: on an NPU machine everything runs on the CPU.
#include "base/text.h"
#include "scan/role.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  const Role role = role_of(site.module, site.node);
  if (!role.in_conditional) return;
  const std::string_view whole = site.text(role.conditional);
  if (contains(whole, "npu") || !contains(whole, "is_available")) return;
  out.push_back(site.finding());
}

}  // namespace

extern const Rule available_or_cpu = {
    .code = "S051",
    .severity = diag::Severity::kWarning,
    .once_per_file = true,
    .strings = {"cuda", "cuda:*"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
