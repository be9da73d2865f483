// DistributedDataParallel broadcasts parameters and buffers at start-up, which needs HCCL's
// Broadcast.
#include "facts/hccl.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  if (!site.is_put_to_use()) return;
  const auto broadcast = facts::find_collective("Broadcast", site.scene.soc());
  if (!broadcast || broadcast->support == facts::CollectiveSupport::kYes) return;
  const bool lacks = broadcast->support == facts::CollectiveSupport::kNo;
  const bool can_share = facts::can_share_gradients(site.scene.soc());
  const std::string_view variant = !lacks ? "unknown" : can_share ? "" : "one_card";
  diag::Finding finding = site.finding({{"api", std::string(site.name)}}, variant);
  if (!lacks) finding.severity = diag::Severity::kWarning;
  finding.properties.set("layer", "official");
  finding.properties.set("source", broadcast->source);
  finding.properties.set("at", broadcast->at);
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule ddp_start = {
    .code = "S032",
    .severity = diag::Severity::kError,
    .names = {"torch.nn.parallel.DistributedDataParallel",
              "torch.nn.parallel.distributed.DistributedDataParallel"},
    .answered_by = {"P082"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
