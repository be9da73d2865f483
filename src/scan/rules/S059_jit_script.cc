// TorchScript: torch_npu turns scripting off, so scripted and eager paths may differ from CUDA.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  out.push_back(site.finding({{"api", std::string(site.name)}}));
}

}  // namespace

extern const Rule jit_script = {
    .code = "S059",
    .severity = diag::Severity::kNote,
    .once_per_file = true,
    .names = {"torch.jit.script", "torch.jit.script_if_tracing", "torch.jit.trace_module",
              "torch.jit.fuser"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
