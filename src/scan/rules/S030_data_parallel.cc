// DataParallel: several devices in one process, which torch_npu does not support.
#include "facts/hccl.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  if (!site.is_put_to_use()) return;
  // DistributedDataParallel, the usual way out, starts with a Broadcast.
  const auto broadcast = facts::find_collective("Broadcast", site.scene.soc());
  const bool has_ddp = !broadcast || broadcast->support == facts::CollectiveSupport::kYes;
  const bool can_share = facts::can_share_gradients(site.scene.soc());
  const std::string_view variant = !can_share ? "one_card" : has_ddp ? "" : "no_ddp";
  out.push_back(site.finding({{"api", std::string(site.name)}}, variant));
}

}  // namespace

extern const Rule data_parallel = {
    .code = "S030",
    .severity = diag::Severity::kError,
    .names = {"torch.nn.DataParallel", "torch.nn.parallel.DataParallel",
              "torch.nn.parallel.data_parallel", "torch.nn.parallel.replicate",
              "torch.nn.parallel.parallel_apply", "torch.nn.parallel.scatter",
              "torch.nn.parallel.gather", "torch.nn.parallel.data_parallel.*",
              "torch.nn.parallel.scatter_gather.*", "torch.nn.parallel.comm.*",
              "torch.cuda.comm.*"},
    .answered_by = {"P056", "P072"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
