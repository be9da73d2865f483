// Puts the imported registry, the registry of 8.1.RC1, the CPU engines and open definitions
// together.
#include "facts/kernels.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "facts/overlay.h"
#include "facts/tables.h"
#include "facts/versions.h"

namespace godwit::facts {
namespace {

Kernel read(const Table& rows, std::uint32_t row, Origin origin) {
  const auto text = [&](std::string_view column) { return std::string(cell(rows, row, column)); };
  const bool open = origin == Origin::kOpenSource;
  Kernel kernel{.op = text("op"),
                .release = text(open ? "first_branch" : "cann"),
                .engine = text("engine"),
                .dtypes = list_of(cell(rows, row, "dtypes")),
                .ports = text("ports"),
                .combos = text("combos"),
                .notes = text("notes"),
                .dynamic = open ? Flag::kUnknown : to_flag(cell(rows, row, "dynamic")),
                .origin = origin,
                .table = rows.name(),
                .source = text("source"),
                .at = open ? text("at") : std::string()};
  if (open && contains(kernel.notes, "experimental")) kernel.origin = Origin::kExperimental;
  return kernel;
}

void add(const Table* rows, std::string_view op, Origin origin, std::vector<Kernel>& out) {
  if (!rows) return;
  for (const std::uint32_t row : rows->find(rows->column("op"), op)) {
    out.push_back(read(*rows, row, origin));
  }
}

Result<const Table*> table_if_there(const std::string& name) {
  if (!has_table(name)) return nullptr;
  return table(name, {"op"});
}

// All tables that can speak about a chip.
struct Sources {
  const Table* installed = nullptr;
  const Table* installed_cpu = nullptr;
  const Table* registry = nullptr;
  const Table* cpu = nullptr;
  const Table* open = nullptr;
  const Table* open_cpu = nullptr;
};

Result<Sources> open_sources(const Soc& soc, std::string_view cann) {
  Sources s;
  const std::string own = format("ops/kernels/{}.tsv", soc.family);
  const std::string_view installed = overlay_manifest()["cann"].string();
  if (cann.empty() || cann == installed) {
    ASSIGN(s.installed, overlay_table(own, {"op"}));
    ASSIGN(s.installed_cpu, overlay_table("ops/kernels/any.tsv", {"op"}));
  }
  if (!s.installed_cpu) {
    ASSIGN(s.cpu, table_if_there("ops/kernels/any.tsv"));
  }
  if (s.installed) return s;  // a registry is complete: what it lacks is not there
  ASSIGN(s.registry, table_if_there(own));
  ASSIGN(s.open, table_if_there(format("ops/kernels_open/{}.tsv", soc.family)));
  ASSIGN(s.open_cpu, table_if_there("ops/kernels_open/any.tsv"));
  return s;
}

Runs runs_on(const Kernel& kernel) {
  if (kernel.engine == "host_cpu") return Runs::kHostCpu;
  return kernel.engine.starts_with("aicpu") ? Runs::kAicpu : Runs::kAicore;
}

bool counts(const Kernel& kernel, std::string_view cann) {
  if (kernel.origin == Origin::kExperimental) return false;
  if (kernel.origin != Origin::kOpenSource) return true;
  return cann.empty() || compare_versions(kernel.release, cann) <= 0;
}

int preference(Runs runs) {
  switch (runs) {
    case Runs::kAicore: return 3;
    case Runs::kAicpu: return 2;
    case Runs::kHostCpu: return 1;
    default: return 0;
  }
}

void summarise(KernelState& state, std::string_view cann) {
  std::set<std::string> dtypes;
  bool dynamic = false, any = false, old = false;
  for (const Kernel& kernel : state.rows) {
    if (!counts(kernel, cann)) continue;
    if (preference(runs_on(kernel)) > preference(state.runs)) state.runs = runs_on(kernel);
  }
  for (const Kernel& kernel : state.rows) {
    if (!counts(kernel, cann) || runs_on(kernel) != state.runs) continue;
    any = true;
    dynamic = dynamic || kernel.dynamic != Flag::kNo;
    old = old || kernel.origin != Origin::kOpenSource;
    dtypes.insert(kernel.dtypes.begin(), kernel.dtypes.end());
    if (kernel.origin == Origin::kOpenSource &&
        (state.since.empty() || compare_versions(kernel.release, state.since) < 0)) {
      state.since = kernel.release;
    }
  }
  state.static_only = any && !dynamic;
  state.dtypes.assign(dtypes.begin(), dtypes.end());
  if (old) state.since.clear();
}

}  // namespace

std::string_view to_string(Runs runs) {
  switch (runs) {
    case Runs::kUnknown: return "unknown";
    case Runs::kNo: return "no";
    case Runs::kAicore: return "aicore";
    case Runs::kAicpu: return "aicpu";
    case Runs::kHostCpu: return "host_cpu";
  }
  return "unknown";
}

Result<KernelState> kernel_state(std::string_view op, const Soc& soc, std::string_view cann) {
  ASSIGN(const Sources s, open_sources(soc, cann));
  KernelState state;
  add(s.installed, op, Origin::kInstalled, state.rows);
  add(s.installed_cpu, op, Origin::kInstalled, state.rows);
  add(s.registry, op, Origin::kRegistry, state.rows);
  add(s.cpu, op, Origin::kRegistry, state.rows);
  add(s.open, op, Origin::kOpenSource, state.rows);
  add(s.open_cpu, op, Origin::kOpenSource, state.rows);
  // Open definitions prove nothing by absence; only a registry can say no.
  if (s.installed || s.registry) state.runs = Runs::kNo;
  summarise(state, cann);
  return state;
}

Result<std::vector<std::string>> kernel_operators(const Soc& soc) {
  ASSIGN(const Sources s, open_sources(soc, {}));
  std::set<std::string> names;
  for (const Table* rows : {s.installed, s.registry, s.open}) {
    if (!rows) continue;
    const std::size_t op = rows->column("op");
    for (std::size_t row = 0; row < rows->rows(); ++row) names.emplace(rows->at(row, op));
  }
  return std::vector<std::string>(names.begin(), names.end());
}

std::string describe(const Kernel& kernel) {
  const std::string types = kernel.dtypes.empty() ? "dtype_at_run_time" : join(kernel.dtypes, "|");
  const std::string_view open = kernel.origin == Origin::kOpenSource     ? " (open definition)"
                                : kernel.origin == Origin::kExperimental ? " (experimental)"
                                : kernel.origin == Origin::kInstalled    ? " (installed)"
                                                                         : "";
  return format("{}, CANN {}{}: {}", kernel.engine, kernel.release, open, types);
}

Evidence to_evidence(const Kernel& kernel) {
  return {.layer = Layer::kKernel,
          .table = kernel.table,
          .subject = kernel.op,
          .says = describe(kernel),
          .source = kernel.source,
          .at = kernel.at};
}

}  // namespace godwit::facts
