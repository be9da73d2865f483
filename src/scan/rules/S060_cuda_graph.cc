// CUDA graphs: NPU graphs exist for newer chips and releases only, with limits of their own.
#include "facts/symbols.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  const auto has = facts::has_symbol("torch_npu.npu.NPUGraph", site.scene.torch_npu);
  const bool graphs = has && *has;
  diag::Finding finding = site.finding({{"api", std::string(site.name)}}, graphs ? "" : "missing");
  if (!graphs) finding.severity = diag::Severity::kError;
  out.push_back(std::move(finding));
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
