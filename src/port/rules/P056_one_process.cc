// DataParallel copies a model to several devices of one process, which torch_npu does not do.
#include "port/cards.h"
#include "port/rule.h"

namespace godwit::port::rules {
namespace {

// With --cards the training is taken to several processes, or P070 says why not.
void visit(const UseSite& site, World& world, Changes& changes) {
  if (site.use.kind != project::UseKind::kCall || world.cards.is_asked()) return;
  changes.leave(site.subject, site.use.node, "left", {{"name", std::string(site.name)}});
}

}  // namespace

extern const Rule one_process = {
    .code = "P056",
    .severity = diag::Severity::kWarning,
    .names = {"torch.nn.DataParallel", "torch.nn.parallel.DataParallel",
              "torch.nn.parallel.data_parallel"},
    .use = visit,
};

}  // namespace godwit::port::rules
