// Devices and backends in configuration files: a value follows when the code that reads its key
// uses it as a device or backend.
#include "base/text.h"
#include "port/config.h"
#include "port/literals.h"
#include "port/style.h"

namespace godwit::port::rules {
namespace {

void judge(const Script& script, const Setting& setting, World& world, Changes& changes) {
  const bool is_backend = equals_ignoring_case(setting.value, "nccl");
  if (!is_backend && !names_cuda_device(setting.value)) return;
  const Meaning meaning = is_backend ? Meaning::kBackend : Meaning::kDevice;
  const std::size_t length = is_backend ? setting.value.size() : 4;
  if (!is_portable(world) && world.flow.is_shown_by_key(setting.key, meaning)) {
    return changes.replace(script.place(setting.value_at), setting.value_at,
                           setting.value_at + static_cast<std::uint32_t>(length),
                           is_backend ? "hccl" : "npu", Proof::kFlow);
  }
  changes.leave(script.place(setting.value_at), script.line(setting.value_at),
                is_backend ? "backend" : "device", {{"text", std::string(setting.value)}});
}

void visit(const Script& script, World& world, Changes& changes) {
  for (const Setting& setting : settings(script)) judge(script, setting, world, changes);
}

}  // namespace

extern const Rule config_values = {
    .code = "P025",
    .severity = diag::Severity::kWarning,
    .files = {project::FileKind::kYaml, project::FileKind::kJson, project::FileKind::kToml},
    .script = visit,
};

}  // namespace godwit::port::rules
