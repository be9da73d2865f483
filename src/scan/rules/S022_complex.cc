// Complex numbers: not creatable in the default mode of some chips, and few operators take them.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  const std::string& ability = site.scene.soc().complex;
  if (ability == "yes") return;
  if (ability == "jit_off_only") {
    out.push_back(site.finding({{"name", std::string(site.name)}}, "jit_on"));
    return;
  }
  diag::Finding finding =
      site.finding({{"name", std::string(site.name)}}, ability.empty() ? "unknown" : "");
  if (ability.empty()) finding.severity = diag::Severity::kWarning;
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule complex = {
    .code = "S022",
    .severity = diag::Severity::kError,
    .once_per_file = true,
    .names = {"torch.complex64", "torch.complex128", "torch.complex32", "torch.cfloat",
              "torch.cdouble", "torch.complex", "torch.polar", "torch.view_as_complex",
              "torch.fft.*", "torch.stft", "torch.istft", "*.cfloat", "*.cdouble",
              "*.view_as_complex"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
