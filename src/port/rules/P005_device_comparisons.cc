// A comparison with 'cuda' must follow the value it sees: left alone, it quietly takes the other
// branch.
#include "port/cuda_library.h"
#include "port/fused.h"
#include "port/literals.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

void visit(const StringSite& site, World& world, Changes& changes) {
  if (site.landing.where != Landing::Where::kCompared || !names_cuda_device(site.content)) return;
  if (const auto library = guarded_library(site.subject, site.landing.at, world);
      !library.empty()) {
    return changes.as(diag::Severity::kWarning)
        .leave(site.subject, site.node, "library", {{"library", std::string(library)}});
  }
  if (asks_for_fused(site.subject, site.landing.at)) {
    return changes.as(diag::Severity::kWarning).leave(site.subject, site.node, "fused");
  }
  if (const auto proof = proof_of(site, world, Meaning::kDevice)) {
    return rename_word(site, world, "cuda", "npu", *proof, changes);
  }
  const bool is_held = world.flow.is_held(site.subject, site.landing, site.node);
  if (is_held) changes.as(diag::Severity::kNote);
  changes.leave(site.subject, site.node, is_held ? "held" : "unproven",
                {{"text", std::string(site.content)}});
}

}  // namespace

extern const Rule device_comparisons = {
    .code = "P005",
    .severity = diag::Severity::kError,
    .strings = {"cuda"},
    .string = visit,
};

}  // namespace godwit::port::rules
