// channels_last is a layout for CUDA convolutions; the NPU has private formats of its own.
#include "scan/rule.h"

namespace godwit::scan::rules {
namespace {

void visit(const Site& site, Findings& out) { out.push_back(site.finding()); }

}  // namespace

extern const Rule channels_last = {
    .code = "S062",
    .severity = diag::Severity::kNote,
    .once_per_file = true,
    .names = {"torch.channels_last", "torch.channels_last_3d"},
    .visit = visit,
};

}  // namespace godwit::scan::rules
