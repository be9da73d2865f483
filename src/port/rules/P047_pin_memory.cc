// DataLoader(pin_memory=True) pins for CUDA only in torch before 2.8, unless the device is named.
#include "base/text.h"
#include "facts/version.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

// From then on the loader pins for whatever accelerator is there.
bool asks_by_itself(const World& world) {
  const auto release = facts::Version::parse(world.names.release());
  return release && *release >= *facts::Version::parse("2.8");
}

void visit(const UseSite& site, World& world, Changes& changes) {
  if (site.use.call == kNoNode || asks_by_itself(world)) return;
  const Subject& subject = site.subject;
  NodeIndex pins = kNoNode;
  for (const project::Argument& argument : subject.module().arguments(site.use.call)) {
    if (argument.is_starred || argument.keyword == "pin_memory_device") return;
    if (argument.keyword == "pin_memory") pins = argument.value;
  }
  if (pins == kNoNode || subject.text(pins) == "False") return;
  const bool asks = is_portable(world);
  if (subject.text(pins) != "True")
    return changes.as(diag::Severity::kNote).leave(subject, pins, "unproven");
  const std::uint32_t end = subject[pins].end;
  const std::string device = asks ? asks_helper(subject, world, "type") : "\"npu\"";
  changes.with(asks ? Helper::kDevice : Helper::kNone)
      .replace(subject, end, end, format(", pin_memory_device={}", device), Proof::kPosition);
}

}  // namespace

extern const Rule pin_memory = {
    .code = "P047",
    .severity = diag::Severity::kWarning,
    .names = {"torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"},
    .use = visit,
};

}  // namespace godwit::port::rules
