// CUDA graphs: torch_npu has NPU graphs, with limits of their own by chip and release.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  out.push_back(site.finding({{"api", std::string(site.name)}}));
}

}  // namespace

extern const Rule cuda_graph = {
    .code = "S060",
    .severity = diag::Severity::kWarning,
    .once_per_file = true,
    .names = {"torch.cuda.CUDAGraph", "torch.cuda.graph", "torch.cuda.graphs.*",
              "torch.cuda.make_graphed_callables", "torch.cuda.graph_pool_handle"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
