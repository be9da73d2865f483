// The device type of autocast, GradScaler and custom_fwd: a wrong one turns them off without a
// word.
#include "base/text.h"
#include "port/literals.h"

namespace godwit::port::rules {
namespace {

void visit_string(const StringSite& site, World&, Changes& changes) {
  if (!site.landing.position || site.landing.position->role != Role::kDeviceType) return;
  if (names_cuda_device(site.content)) rename_word(site, "cuda", "npu", Proof::kPosition, changes);
}

// torch.amp.GradScaler() means "cuda".
void visit_use(const UseSite& site, World&, Changes& changes) {
  if (site.use.call == kNoNode) return;
  const Subject& subject = site.subject;
  const auto arguments = subject.module().arguments(site.use.call);
  for (const project::Argument& argument : arguments) {
    if (argument.is_starred) return changes.leave(subject, site.use.call, "starred");
    if (argument.keyword.empty() || argument.keyword == "device") return;
  }
  const std::uint32_t end =
      arguments.empty() ? subject[site.use.call].end - 1 : subject[arguments.back().value].end;
  changes.replace(subject, end, end, arguments.empty() ? "device=\"npu\"" : ", device=\"npu\"",
                  Proof::kPosition);
}

}  // namespace

extern const Rule amp_device_type = {
    .code = "P009",
    .severity = diag::Severity::kError,
    .names = {"torch.amp.GradScaler", "torch.amp.grad_scaler.GradScaler"},
    .strings = {"cuda"},
    .use = visit_use,
    .string = visit_string,
};

}  // namespace godwit::port::rules
