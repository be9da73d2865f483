// Rows of data/api/aclnn/*.tsv.
#include "facts/aclnn.h"

#include <algorithm>

#include "base/text.h"
#include "facts/tables.h"
#include "facts/versions.h"

namespace godwit::facts {

Result<std::optional<AclnnApi>> find_aclnn(std::string_view api, const Soc& soc) {
  const std::string name = format("api/aclnn/{}.tsv", soc.family);
  if (!has_table(name)) return std::nullopt;
  ASSIGN(const Table* const rows, table(name, {"api"}));
  const auto found = rows->find(rows->column("api"), api);
  if (found.empty()) return std::nullopt;
  const auto text = [&](std::string_view column) {
    return std::string(cell(*rows, found.front(), column));
  };
  return AclnnApi{.name = text("api"),
                  .official = to_flag(cell(*rows, found.front(), "official")),
                  .kernel = text("kernel"),
                  .since = text("kernel_since"),
                  .first_page = text("first_page"),
                  .dtypes = text("dtypes"),
                  .notes = text("notes"),
                  .table = name,
                  .source = text("source"),
                  .at = text("at")};
}

bool has_kernel(const AclnnApi& api, std::string_view cann) {
  if (api.kernel == "no") return false;
  if (cann.empty() || api.since.empty()) return true;
  return compare_versions(api.since, cann) <= 0;
}

Verdict to_verdict(const AclnnApi& api, std::string_view cann) {
  if (!has_kernel(api, cann)) return Verdict::kBlocked;
  if (is_yes(api.official)) return Verdict::kSupported;
  const bool registered = api.kernel == "yes" || api.kernel == "aicpu";
  return is_no(api.official) && registered ? Verdict::kUndocumented : Verdict::kUnknown;
}

std::vector<std::string> dtypes_of(const AclnnApi& api) {
  std::vector<std::string> all;
  for (const std::string_view parameter : split_list(api.dtypes, ';')) {
    const std::size_t colon = parameter.find(':');
    if (colon == std::string_view::npos) continue;
    for (const std::string_view type : split_list(parameter.substr(colon + 1))) {
      if (std::find(all.begin(), all.end(), type) == all.end()) all.emplace_back(type);
    }
  }
  return all;
}

std::vector<Evidence> to_evidence(const AclnnApi& api) {
  std::string kernel = api.kernel.empty() ? "unknown" : api.kernel;
  if (!api.since.empty()) kernel += format(", since CANN {}", api.since);
  return {{.layer = Layer::kOfficial,
           .table = api.table,
           .subject = api.name,
           .says = std::string(to_string(api.official)),
           .source = api.source,
           .at = api.at},
          {.layer = Layer::kKernel,
           .table = api.table,
           .subject = api.name,
           .says = kernel,
           .source = api.source,
           .at = api.at}};
}

}  // namespace godwit::facts
