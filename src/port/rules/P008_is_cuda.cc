// x.is_cuda becomes x.is_npu: left alone, the test is false for every tensor.
#include "port/cuda_library.h"
#include "port/literals.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

// x.is_cuda becomes godwit_device.is_on(x).
void ask(const UseSite& site, NodeIndex name, Proof proof, const World& world, Changes& changes) {
  const Subject& subject = site.subject;
  const NodeIndex object = subject.tree().child(site.use.node, Field::kObject);
  const std::uint32_t begin = subject[object].begin;
  changes.with(Helper::kDevice);
  changes.replace(subject, begin, begin, asks_helper(subject, world, "is_on("), proof);
  changes.replace(subject, subject[object].end, subject[name].end, ")", proof);
}

void visit(const UseSite& site, World& world, Changes& changes) {
  const NodeIndex name = last_identifier(site.subject, site.use.node);
  if (name == kNoNode || site.subject.text(name) != "is_cuda" ||
      site.use.kind == project::UseKind::kAssigned)
    return;
  if (const auto library = guarded_library(site.subject, site.use.node, world); !library.empty()) {
    return changes.as(diag::Severity::kWarning)
        .leave(site.subject, site.use.node, "library", {{"library", std::string(library)}});
  }
  if (const auto proof = proof_of_method(site, world, "is_cuda")) {
    if (is_portable(world)) return ask(site, name, *proof, world, changes);
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
