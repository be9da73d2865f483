// pin_memory_device of a DataLoader names the device that the pinned memory is for.
#include "port/literals.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

void visit(const StringSite& site, World& world, Changes& changes) {
  if (!site.landing.position || site.landing.position->role != Role::kPinMemory) return;
  if (names_cuda_device(site.content))
    rename_word(site, world, "cuda", "npu", Proof::kPosition, changes);
}

}  // namespace

extern const Rule pin_memory_device = {
    .code = "P016",
    .severity = diag::Severity::kWarning,
    .strings = {"cuda"},
    .string = visit,
};

}  // namespace godwit::port::rules
