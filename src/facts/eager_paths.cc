// Evaluates the aclop and the aclnn path of an overload from kernels, pages and recorded readings.
#include "facts/eager_paths.h"

#include <algorithm>

#include "base/text.h"
#include "facts/aclnn.h"
#include "facts/kernels.h"
#include "facts/overlay.h"
#include "facts/versions.h"

namespace godwit::facts {
namespace {

constexpr std::size_t kMostEvidence = 4;  // rows per path; the rest is in the tables

std::vector<std::string> list(std::string_view text) {
  std::vector<std::string> names;
  for (const std::string_view name : split_list(text)) {
    if (!name.ends_with("...")) names.emplace_back(name);  // a cell that was cut
  }
  return names;
}

void add_types(const std::vector<std::string>& more, std::vector<std::string>& types) {
  for (const std::string& type : more) {
    if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
  }
}

// "aclop_310p" exists for the chips whose sources were read; others are computed.
std::string_view recorded(const Table& aten, std::size_t row, std::string_view path,
                          const Soc& soc) {
  const std::string column = format("{}_{}", path, soc.short_name);
  return aten.has_column(column) ? cell(aten, row, column) : std::string_view{};
}

bool has_installed_registry(const Soc& soc, const EagerOptions& o) {
  const Json& manifest = overlay_manifest();
  if (!o.cann.empty() && o.cann != manifest["cann"].string()) return false;
  for (const Json& chip : manifest["registries"].items()) {
    if (chip.string() == soc.family) return true;
  }
  return false;
}

// The state of several operators that are all needed; the first decides where they differ.
std::string together(const std::vector<Runs>& runs) {
  const auto all = [&](Runs wanted) {
    return std::all_of(runs.begin(), runs.end(), [&](Runs r) { return r == wanted; });
  };
  if (runs.empty()) return "unknown";
  if (all(Runs::kAicore)) return "yes";
  if (all(Runs::kNo)) return "no";
  const auto is_missing = [](Runs r) { return r == Runs::kNo; };
  if (std::none_of(runs.begin(), runs.end(), is_missing)) {
    return all(Runs::kUnknown) ? "unknown" : "aicpu";
  }
  return is_missing(runs.front()) ? "no" : "partial";
}

// The promise over all deciding APIs.
std::string promise(std::size_t listed, std::size_t left_out, std::size_t unknown) {
  if (listed + left_out == 0) return "unknown";
  if (left_out == 0) return unknown == 0 ? "yes" : "unknown";
  return listed == 0 ? "no" : "partial";
}

}  // namespace

bool covers_torch(std::string_view versions, std::string_view torch) {
  if (versions == "all" || torch.empty()) return !versions.empty();
  for (const std::string_view part : split_list(versions)) {
    const bool open = part.ends_with('+');
    const std::size_t dots = part.find("..");
    const std::string_view first = part.substr(1, open ? part.size() - 2 : dots - 1);
    if (open ? compare_versions(torch, first) >= 0 : is_version_of(torch, first)) return true;
    if (dots == std::string_view::npos) continue;
    const std::string_view last = part.substr(dots + 3);  // behind "..v"
    if (compare_versions(torch, first) >= 0 &&
        (compare_versions(torch, last) <= 0 || is_version_of(torch, last))) {
      return true;
    }
  }
  return false;
}

Result<Path> aclop_path(const Table& aten, std::size_t row, const Soc& soc, const EagerOptions& o) {
  Path path;
  if (is_no(soc.aclop) || !covers_torch(cell(aten, row, "aclop_torch"), o.torch)) return path;
  std::vector<Runs> runs;
  for (const std::string& op : list(cell(aten, row, "cann_ops"))) {
    ASSIGN(const KernelState state, kernel_state(op, soc, o.cann));
    runs.push_back(state.runs);
    if (state.runs == Runs::kNo) path.missing.push_back(op);
    if (runs.size() == 1) path.dtypes = state.dtypes;
    for (const Kernel& kernel : state.rows) {
      if (path.evidence.size() < kMostEvidence) path.evidence.push_back(to_evidence(kernel));
    }
    if (state.rows.empty() && path.evidence.size() < kMostEvidence) {
      path.evidence.push_back({.layer = Layer::kKernel,
                               .table = format("ops/kernels/{}.tsv", soc.family),
                               .subject = op,
                               .says = std::string(to_string(state.runs))});
    }
  }
  const std::string_view read = recorded(aten, row, "aclop", soc);
  path.state = read.empty() || has_installed_registry(soc, o) ? together(runs) : std::string(read);
  return path;
}

Result<Path> aclnn_path(const Table& aten, std::size_t row, const Soc& soc, const EagerOptions& o) {
  Path path;
  if (!covers_torch(cell(aten, row, "aclnn_torch"), o.torch)) return path;
  std::vector<std::string> names = list(cell(aten, row, "aclnn_deciding"));
  if (names.empty()) names = list(cell(aten, row, "aclnn"));
  std::size_t listed = 0, left_out = 0, unknown = 0;
  for (const std::string& name : names) {
    ASSIGN(const std::optional<AclnnApi> api, find_aclnn(name, soc));
    if (!api) {
      ++unknown;
      continue;
    }
    ++(is_yes(api->official) ? listed : left_out);
    if (!has_kernel(*api, o.cann)) path.missing.push_back(name);
    add_types(dtypes_of(*api), path.dtypes);
    if (path.evidence.size() >= 2 * kMostEvidence) continue;
    for (Evidence& evidence : to_evidence(*api)) path.evidence.push_back(std::move(evidence));
  }
  const std::string_view read = recorded(aten, row, "aclnn", soc);
  path.state = read.empty() ? promise(listed, left_out, unknown) : std::string(read);
  const std::string column = format("no_kernel_{}", soc.short_name);
  if (aten.has_column(column)) add_types(list(cell(aten, row, column)), path.missing);
  return path;
}

}  // namespace godwit::facts
