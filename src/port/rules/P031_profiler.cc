// Profilers that record CUDA: torch_npu brings its own.
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

void visit(const UseSite& site, World&, Changes& changes) {
  changes.leave(site.subject, site.use.node, "left", {{"name", std::string(site.name)}});
}

}  // namespace

extern const Rule profiler = {
    .code = "P031",
    .severity = diag::Severity::kWarning,
    .names = {"torch.profiler.ProfilerActivity.CUDA"},
    .use = visit,
};

}  // namespace godwit::port::rules
