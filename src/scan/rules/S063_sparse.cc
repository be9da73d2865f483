// Sparse tensors: torch_npu covers next to none of their operators.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

// nn.Embedding(sparse=True) makes sparse gradients; everything else names sparse itself.
void visit(const Site& site, Findings& out) {
  if (site.last_part().starts_with("Embedding")) {
    const auto sparse = site.argument("sparse");
    if (sparse == syntax::kNoNode || site.text(sparse) == "False") return;
  }
  out.push_back(site.finding({{"api", std::string(site.name)}}));
}

}  // namespace

extern const Rule sparse = {
    .code = "S063",
    .severity = diag::Severity::kWarning,
    .once_per_file = true,
    .names = {"torch.sparse.*", "torch.sparse_coo_tensor", "torch.sparse_csr_tensor", "*.to_sparse",
              "*.to_sparse_csr", "torch.optim.SparseAdam", "torch.nn.Embedding",
              "torch.nn.EmbeddingBag"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
