// What HCCL demands of a process group on the chip: cards, servers, processes per device.
#include "base/text.h"
#include "facts/hccl.h"
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) {
  const auto all_reduce = facts::find_collective("AllReduce", site.scene.soc());
  if (!all_reduce || all_reduce->restrictions.empty()) return;
  diag::Finding finding = site.finding({{"limits", join(all_reduce->restrictions, "; ")}});
  // A single server and named cards only decide whether several cards work at all.
  if (!facts::is_no(all_reduce->between_nodes)) finding.severity = diag::Severity::kNote;
  finding.properties.set("source", all_reduce->source);
  finding.properties.set("at", all_reduce->at);
  out.push_back(std::move(finding));
}

}  // namespace

extern const Rule group_limits = {
    .code = "S035",
    .severity = diag::Severity::kWarning,
    .once_per_file = true,
    .names = {"torch.distributed.init_process_group", "torch.distributed.new_group",
              "torch.distributed.init_device_mesh"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
