// Profilers and markers of CUDA: torch_npu has no nvtx; profiles come from torch_npu.profiler.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  const bool marker = site.name.starts_with("torch.cuda.nvtx");
  diag::Finding finding = site.finding({{"api", std::string(site.name)}}, marker ? "" : "profiler");
  if (!marker) finding.severity = diag::Severity::kWarning;
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule cuda_profiler = {
    .code = "S061",
    .severity = diag::Severity::kError,
    .once_per_file = true,
    .names = {"torch.cuda.nvtx.*", "torch.cuda.nvtx", "torch.cuda.profiler.*",
              "torch.cuda.profiler", "torch.autograd.profiler.emit_nvtx",
              "torch.profiler.ProfilerActivity.CUDA", "torch.cuda.cudart"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
