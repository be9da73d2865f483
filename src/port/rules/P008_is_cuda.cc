// x.is_cuda becomes x.is_npu: left alone, the test is false for every tensor.
#include "port/cuda_library.h"
#include "port/literals.h"

namespace godwit::port::rules {
namespace {

void visit(const UseSite& site, World& world, Changes& changes) {
  const NodeIndex name = last_identifier(site.subject, site.use.node);
  if (name == kNoNode || site.subject.text(name) != "is_cuda" ||
      site.use.kind == project::UseKind::kAssigned)
    return;
  if (const auto library = guarded_library(site.subject, site.use.node, world.soc);
      !library.empty()) {
    return changes.as(diag::Severity::kWarning)
        .leave(site.subject, site.use.node, "library", {{"library", std::string(library)}});
  }
  if (const auto proof = proof_of_method(site, world, "is_cuda")) {
    return changes.replace(site.subject, name, "is_npu", *proof);
  }
  changes.leave(site.subject, site.use.node, "unproven");
}

}  // namespace

extern const Rule is_cuda = {
    .code = "P008",
    .severity = diag::Severity::kError,
    .names = {".is_cuda"},
    .use = visit,
};

}  // namespace godwit::port::rules
