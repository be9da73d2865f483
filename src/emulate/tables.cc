// Parts of the device profile that are rows of a table: autocast, defaults, collectives, names.
#include <algorithm>
#include <map>

#include "base/table.h"
#include "base/text.h"
#include "emulate/profile.h"
#include "facts/hccl.h"
#include "facts/symbols.h"
#include "facts/tables.h"
#include "facts/versions.h"

namespace godwit::emulate {
namespace {

using facts::cell;

Json to_list(const std::vector<std::string>& values) {
  Json list = Json::array();
  for (const std::string& value : values) list.add(value);
  return list;
}

Json describe(const facts::Collective& one) {
  Json json = Json::object();
  json.set("supported", facts::to_string(one.support));
  if (!one.dtypes.empty()) json.set("dtypes", to_list(one.dtypes));
  if (!one.reduce.empty()) json.set("reduce", to_list(one.reduce));
  if (!one.reduce_exceptions.empty()) json.set("reduce_exceptions", one.reduce_exceptions);
  if (one.max_ranks) json.set("max_ranks", *one.max_ranks);
  json.set("between_nodes", facts::to_string(one.between_nodes));
  return json;
}

}  // namespace

Result<Json> autocast_policies() {
  ASSIGN(const Table* const rows, facts::table("api/autocast.tsv", {"op"}));
  std::map<std::string, Json> lists;
  for (std::size_t row = 0; row < rows->rows(); ++row) {
    Json& list =
        lists.try_emplace(std::string(cell(*rows, row, "policy")), Json::array()).first->second;
    list.add(cell(*rows, row, "op"));
  }
  Json policies = Json::object();
  for (auto& [policy, list] : lists) policies.append_member(policy, std::move(list));
  return policies;
}

Result<Json> cpu_fallbacks(std::string_view release) {
  ASSIGN(const Table* const rows, facts::table("api/torch_npu_cpu_fallback.tsv", {"op"}));
  Json list = Json::array();
  std::string_view last;
  for (std::size_t row = 0; row < rows->rows(); ++row) {
    const std::string_view op = cell(*rows, row, "op");
    if (op == "*" || op == last || !facts::contains_release(cell(*rows, row, "releases"), release))
      continue;
    list.add(op);
    last = op;
  }
  return list;
}

Result<Json> defaults(const facts::Soc& soc) {
  Json all = Json::object();
  ASSIGN(const Table* const rows, facts::table("api/torch_npu_defaults.tsv", {"setting"}));
  for (std::size_t row = 0; row < rows->rows(); ++row) {
    const std::string_view value = cell(*rows, row, "value");
    Json typed = value == "yes" ? Json(true) : value == "no" ? Json(false) : Json(value);
    all.set(cell(*rows, row, "setting"), std::move(typed));
  }
  const auto take = [&](std::string_view setting, facts::Flag flag) {
    if (flag != facts::Flag::kUnknown) all.set(setting, facts::is_yes(flag));
  };
  take("jit_compile", soc.jit_compile_default);
  take("internal_format", soc.internal_format_default);
  for (const std::string_view name : {"init_mode", "precision_mode"}) {
    const auto known = soc.abilities.find(format("{}_default", name));
    if (known != soc.abilities.end()) all.set(name, known->second.value);
  }
  return all;
}

Result<Json> collectives(const facts::Soc& soc) {
  ASSIGN(const Table* const calls, facts::table("api/collectives.tsv", {"torch"}));
  Json known = Json::object(), torch = Json::object();
  for (std::size_t row = 0; row < calls->rows(); ++row) {
    Json names = Json::array();
    for (const std::string_view name : split_list(cell(*calls, row, "hccl"))) {
      names.add(name);
      if (!known[name].is_null()) continue;
      ASSIGN(const facts::Collective one, facts::find_collective(name, soc));
      known.set(name, describe(one));
    }
    Json call = Json::object();
    call.set("hccl", std::move(names)).set("replaced", cell(*calls, row, "kind") == "replaced");
    torch.append_member(std::string(cell(*calls, row, "torch")), std::move(call));
  }
  ASSIGN(const Table* const rows, facts::table("hccl.tsv", {"soc", "collective"}));
  bool alone = false;  // each rank needs a device of its own
  for (std::size_t row = 0; row < rows->rows(); ++row) {
    if (cell(*rows, row, "soc") != soc.family) continue;
    alone = alone || contains(cell(*rows, row, "restriction"), "one process per NPU");
    // Forms for unequal parts, which no function of torch.distributed names.
    const std::string name(cell(*rows, row, "collective"));
    if (name == "*" || !known[name].is_null()) continue;
    ASSIGN(const facts::Collective one, facts::find_collective(name, soc));
    known.set(name, describe(one));
  }
  Json all = Json::object();
  all.set("collectives", std::move(known)).set("torch", std::move(torch));
  all.set("one_process_per_card", alone);
  return all;
}

Result<Json> names(std::string_view release) {
  ASSIGN(const Table* const rows, facts::table("api/torch_npu_symbols.tsv", {"name"}));
  Json all = Json::object();
  for (std::size_t row = 0; row < rows->rows(); ++row) {
    if (!facts::contains_release(cell(*rows, row, "releases"), release)) continue;
    all.append_member(std::string(cell(*rows, row, "name")), cell(*rows, row, "kind"));
  }
  return all;
}

Result<Json> patched_names(std::string_view release) {
  ASSIGN(const Table* const rows, facts::table("api/torch_npu_patches.tsv", {"name"}));
  Json all = Json::object();
  for (std::size_t row = 0; row < rows->rows(); ++row) {
    if (!facts::contains_release(cell(*rows, row, "releases"), release)) continue;
    all.set(cell(*rows, row, "name"), cell(*rows, row, "defined_in"));
  }
  return all;
}

Result<Json> custom_schemas(std::string_view release) {
  ASSIGN(const Table* const ops, facts::table("api/torch_npu_ops.tsv", {"overload"}));
  ASSIGN(const Table* const aten, facts::table("api/aten.tsv", {"op"}));
  Json all = Json::object();
  for (std::size_t row = 0; row < ops->rows(); ++row) {
    if (cell(*ops, row, "namespace") != "npu") continue;
    if (!facts::contains_release(cell(*ops, row, "releases"), release)) continue;
    const std::string name = format("npu::{}", cell(*ops, row, "overload"));
    const auto found = aten->find(aten->column("op"), name);
    if (!found.empty()) all.set(name, cell(*aten, found.front(), "schema"));
  }
  return all;
}

Result<Release> choose_torch_npu(std::string_view asked, std::string_view torch) {
  ASSIGN(const std::vector<std::string> known, facts::releases("torch_npu"));
  Release release{.wanted = std::string(asked)};
  if (release.wanted.empty()) {
    // torch_npu X.Y.Z.postN goes with torch X.Y.Z; a torch that no release has gets the nearest
    // older one.
    for (const std::string& name : known) {
      if (torch.empty() || facts::is_version_of(name, torch)) release.wanted = name;
    }
  }
  if (release.wanted.empty()) release.wanted = std::string(torch);
  const bool has_older = std::any_of(known.begin(), known.end(), [&](const std::string& name) {
    return facts::compare_versions(name, release.wanted) <= 0;
  });
  if (!has_older) {
    return fail("E243", {}, {{"found", release.wanted}, {"known", join(known, ", ")}});
  }
  ASSIGN(release.read, facts::read_release(release.wanted));
  return release;
}

}  // namespace godwit::emulate
