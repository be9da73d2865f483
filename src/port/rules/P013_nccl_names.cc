// Names that belong to NCCL itself: HCCL has its own, with other arguments.
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

void visit(const UseSite& site, World&, Changes& changes) {
  changes.leave(site.subject, site.use.node, "left", {{"name", std::string(site.name)}});
}

}  // namespace

extern const Rule nccl_names = {
    .code = "P013",
    .severity = diag::Severity::kWarning,
    .names = {"torch.distributed.is_nccl_available", "torch.distributed.ProcessGroupNCCL",
              "torch.distributed.ProcessGroupNCCL.*", "torch.distributed.Backend.NCCL",
              "torch.distributed.distributed_c10d.is_nccl_available"},
    .use = visit,
};

}  // namespace godwit::port::rules
