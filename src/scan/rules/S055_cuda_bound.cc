// Places bound to CUDA by name: `.cuda()`, device strings, CUDA tensor types; godwit port rewrites
// them.
#include "base/text.h"
#include "scan/role.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

// A device string is one when it stands where a device goes; "cuda" in a list of choices is not.
bool is_device(const Site& site) {
  const Role role = role_of(site.module, site.node);
  switch (role.kind) {
    case RoleKind::kArgument: {
      const std::string_view function = role.name.substr(role.name.rfind('.') + 1);
      return function == "device" || function == "to" || function == "set_default_device" ||
             site.name.starts_with("cuda:");
    }
    case RoleKind::kKeyword: return names_device(role.name) && role.name != "device_type";
    case RoleKind::kAssigned:
    case RoleKind::kDefault:
    case RoleKind::kValue: return names_device(role.name) || site.name.starts_with("cuda:");
    default: return false;
  }
}

void visit(const Site& site, Findings& out) {
  if (site.kind == Site::Kind::kString) {
    if (role_of(site.module, site.node).in_conditional) return;  // S051 speaks
    if (is_device(site)) out.push_back(site.finding());
    return;
  }
  if (site.last_part() == "cuda" && !site.is_call()) return;
  out.push_back(site.finding());
}

}  // namespace

extern const Rule cuda_bound = {
    .code = "S055",
    .severity = diag::Severity::kWarning,
    .once_per_file = true,
    .names = {".cuda", "torch.Tensor.cuda", "torch.nn.Module.cuda", "torch.cuda.FloatTensor",
              "torch.cuda.HalfTensor", "torch.cuda.LongTensor", "torch.cuda.IntTensor",
              "torch.cuda.ByteTensor", "torch.cuda.BoolTensor", "torch.cuda.set_device",
              "torch.cuda.amp.autocast", "torch.cuda.amp.GradScaler"},
    .strings = {"cuda", "cuda:*", "torch.cuda.FloatTensor", "torch.cuda.HalfTensor"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
