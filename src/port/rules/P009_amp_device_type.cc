// The device type of autocast, GradScaler, custom_fwd and fork_rng: a wrong one turns them off
// without a word.
#include "base/text.h"
#include "port/literals.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

void visit_string(const StringSite& site, World& world, Changes& changes) {
  if (!site.landing.position || site.landing.position->role != Role::kDeviceType) return;
  if (names_cuda_device(site.content))
    rename_word(site, world, "cuda", "npu", Proof::kPosition, changes);
}

// torch.amp.GradScaler() means "cuda", and so does torch.random.fork_rng().
void visit_use(const UseSite& site, World& world, Changes& changes) {
  if (site.use.call == kNoNode) return;
  const bool is_fork = site.name.ends_with("fork_rng");
  const std::string_view keyword = is_fork ? "device_type" : "device";
  const Subject& subject = site.subject;
  const auto arguments = subject.module().arguments(site.use.call);
  for (const project::Argument& argument : arguments) {
    if (argument.is_starred) return changes.leave(subject, site.use.call, "starred");
    if ((argument.keyword.empty() && !is_fork) || argument.keyword == keyword) return;
  }
  const std::uint32_t end =
      arguments.empty() ? subject[site.use.call].end - 1 : subject[arguments.back().value].end;
  const bool asks = is_portable(world);
  const std::string device = asks ? asks_helper(subject, world, "type") : "\"npu\"";
  changes.with(asks ? Helper::kDevice : Helper::kNone)
      .replace(subject, end, end, format("{}{}={}", arguments.empty() ? "" : ", ", keyword, device),
               Proof::kPosition);
}

}  // namespace

extern const Rule amp_device_type = {
    .code = "P009",
    .severity = diag::Severity::kError,
    .names = {"torch.amp.GradScaler", "torch.amp.grad_scaler.GradScaler", "torch.random.fork_rng"},
    .strings = {"cuda"},
    .use = visit_use,
    .string = visit_string,
};

}  // namespace godwit::port::rules
