// Devices and backends in configuration files: which code reads them is not followed, so they are
// said.
#include "base/text.h"
#include "port/literals.h"

namespace godwit::port::rules {
namespace {

// The value of a line `key: value` or `"key": "value"`, without quotes, comma and comment.
std::string_view value_of(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  std::string_view value = trim(line.substr(colon + 1));
  value = trim(value.substr(0, value.find(" #")));
  while (!value.empty() && (value.back() == ',' || value.back() == '"' || value.back() == '\''))
    value.remove_suffix(1);
  while (!value.empty() && (value.front() == '"' || value.front() == '\'')) value.remove_prefix(1);
  return value;
}

void visit(const Script& script, World&, Changes& changes) {
  std::uint32_t offset = 0;
  for (const std::string_view line : split(script.text(), '\n')) {
    const std::string_view value = value_of(line);
    const bool is_backend = equals_ignoring_case(value, "nccl");
    if (!trim(line).starts_with('#') && (is_backend || names_cuda_device(value))) {
      const auto column = static_cast<std::uint32_t>(value.data() - line.data());
      changes.leave(script.place(offset + column), std::string(trim(line)),
                    is_backend ? "backend" : "device", {{"text", std::string(value)}});
    }
    offset += static_cast<std::uint32_t>(line.size()) + 1;
  }
}

}  // namespace

extern const Rule config_values = {
    .code = "P025",
    .severity = diag::Severity::kWarning,
    .files = {project::FileKind::kYaml, project::FileKind::kJson},
    .script = visit,
};

}  // namespace godwit::port::rules
