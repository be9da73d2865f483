// BF16 in source, for a chip that has no BF16: the cast fails, or the weights cannot be loaded.
#include "base/text.h"
#include "scan/role.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

bool is_precision_word(const Site& site, const Role& role) {
  return role.kind == RoleKind::kArgument ? site.name == "bfloat16" || site.name == "torch.bfloat16"
                                          : names_dtype(role.name);
}

// `"bfloat16" if torch.cuda.is_bf16_supported() else …` chooses well once it asks the NPU, where
// that answer is right for the chip.
bool is_guarded(const Site& site, const Role& role) {
  return role.in_conditional && facts::is_no(site.scene.soc().bf16_api_says) &&
         contains(site.text(role.conditional), "is_bf16_supported");
}

void report(const Site& site, bool in_effect, Findings& out) {
  diag::Finding finding = site.finding({}, in_effect ? "" : "offered");
  if (!in_effect) finding.severity = diag::Severity::kNote;
  out.push_back(std::move(finding));
}

// A table of names to types, a list of choices or a comparison offers BF16; it does not use it.
void visit(const Site& site, Findings& out) {
  if (!facts::is_no(site.scene.soc().bf16)) return;
  if (site.last_part() == "is_bf16_supported") return;  // answers no on such a chip: a good guard
  const Role role = role_of(site.module, site.node);
  const bool in_effect = is_in_effect(role) && role.kind != RoleKind::kValue;
  if (site.kind == Site::Kind::kString) {
    if (in_effect && is_precision_word(site, role)) report(site, !is_guarded(site, role), out);
    return;
  }
  if (site.last_part() == "bfloat16" && !site.name.starts_with("torch.b") && !site.is_call())
    return;
  report(site, (in_effect || site.is_call()) && !is_guarded(site, role), out);
}

}  // namespace

extern const Rule bf16 = {
    .code = "S020",
    .severity = diag::Severity::kError,
    .once_per_file = true,
    .names = {"torch.bfloat16", "*.bfloat16", "torch.BFloat16Tensor", "torch.cuda.BFloat16Tensor",
              "torch.BFloat16Storage"},
    .strings = {"bfloat16", "bf16", "torch.bfloat16", "bf16-mixed", "bf16-true"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
