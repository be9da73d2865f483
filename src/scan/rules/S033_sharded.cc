// Other ways to spread a model over cards: FSDP, RPC, pipelines; each needs collectives of its own.
#include <array>

#include "base/text.h"
#include "facts/hccl.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

// FSDP gathers shards, reduces gradients and, with sync_module_states, broadcasts at start-up.
constexpr std::array<std::string_view, 3> kFsdpNeeds = {"AllGather", "ReduceScatter", "Broadcast"};

std::string lacking(const facts::Soc& soc) {
  std::vector<std::string> names;
  for (const std::string_view name : kFsdpNeeds) {
    const auto collective = facts::find_collective(name, soc);
    if (collective && collective->support == facts::CollectiveSupport::kNo)
      names.emplace_back(name);
  }
  return join(names, ", ");
}

void visit(const Site& site, Findings& out) {
  if (!site.is_put_to_use()) return;
  if (contains(site.name, "rpc")) {
    out.push_back(site.finding({{"api", std::string(site.name)}}, "rpc"));
    return;
  }
  const std::string missing = lacking(site.scene.soc());
  diag::Finding finding = site.finding({{"api", std::string(site.name)}, {"collective", missing}},
                                       missing.empty() ? "checked" : "");
  finding.severity = missing.empty() ? diag::Severity::kNote : diag::Severity::kError;
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule sharded = {
    .code = "S033",
    .severity = diag::Severity::kWarning,
    .once_per_file = true,
    .names = {"torch.distributed.fsdp.FullyShardedDataParallel",
              "torch.distributed.fsdp.fully_sharded_data_parallel.FullyShardedDataParallel",
              "torch.distributed.fsdp.fully_shard",
              "torch.distributed._composable.fsdp.fully_shard",
              "torch.distributed.optim.ZeroRedundancyOptimizer", "torch.distributed.rpc.init_rpc",
              "torch.distributed.pipeline.*", "torch.distributed.pipelining.*"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
