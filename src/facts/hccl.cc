// Rows of data/hccl.tsv and data/api/collectives.tsv.
#include "facts/hccl.h"

#include "base/text.h"
#include "facts/tables.h"

namespace godwit::facts {
namespace {

CollectiveSupport to_support(std::string_view cell) {
  if (cell == "yes") return CollectiveSupport::kYes;
  if (cell == "no") return CollectiveSupport::kNo;
  return cell == "conflict" ? CollectiveSupport::kConflict : CollectiveSupport::kUnknown;
}

int doubt_in(CollectiveSupport support) {
  switch (support) {
    case CollectiveSupport::kYes: return 0;
    case CollectiveSupport::kConflict: return 1;
    case CollectiveSupport::kUnknown: return 2;
    case CollectiveSupport::kNo: return 3;
  }
  return 2;
}

Collective read(const Table& table, std::size_t row) {
  const auto text = [&](std::string_view column) { return std::string(cell(table, row, column)); };
  const std::string reduce = text("reduce");
  const std::size_t exceptions = reduce.find(';');
  Collective found{.name = text("collective"),
                   .support = to_support(cell(table, row, "supported")),
                   .dtypes = list_of(cell(table, row, "dtypes")),
                   .reduce = list_of(std::string_view(reduce).substr(0, exceptions)),
                   .max_ranks = parse_integer(cell(table, row, "max_ranks")),
                   .within_node = to_flag(cell(table, row, "within_node")),
                   .between_nodes = to_flag(cell(table, row, "between_nodes")),
                   .restrictions = list_of(cell_to_read(table, row, "restriction")),
                   .modes = text("modes"),
                   .source = text("source"),
                   .at = text("at")};
  if (exceptions != std::string::npos) found.reduce_exceptions = reduce.substr(exceptions + 1);
  return found;
}

}  // namespace

std::string_view to_string(CollectiveSupport support) {
  switch (support) {
    case CollectiveSupport::kUnknown: return "unknown";
    case CollectiveSupport::kYes: return "yes";
    case CollectiveSupport::kNo: return "no";
    case CollectiveSupport::kConflict: return "conflict";
  }
  return "unknown";
}

Result<std::vector<std::string>> collectives_of(std::string_view torch_distributed_name) {
  ASSIGN(const Table* const rows, table("api/collectives.tsv", {"torch"}));
  const auto found = rows->find(rows->column("torch"), torch_distributed_name);
  if (found.empty()) return std::vector<std::string>();
  return list_of(cell(*rows, found.front(), "hccl"));
}

Result<std::optional<Collective>> weakest_collective(std::string_view torch_distributed_name,
                                                     const Soc& soc) {
  std::optional<Collective> weakest;
  ASSIGN(const std::vector<std::string> names, collectives_of(torch_distributed_name));
  for (const std::string& name : names) {
    ASSIGN(Collective found, find_collective(name, soc));
    if (!weakest || doubt_in(found.support) > doubt_in(weakest->support)) {
      weakest = std::move(found);
    }
  }
  return weakest;
}

Result<Collective> find_collective(std::string_view name, const Soc& soc) {
  ASSIGN(const Table* const rows, table("hccl.tsv", {"soc"}));
  std::optional<std::uint32_t> any;
  for (const std::uint32_t row : rows->find(rows->column("soc"), soc.family)) {
    const std::string_view collective = cell(*rows, row, "collective");
    if (collective == name) return read(*rows, row);
    if (collective == "*") any = row;
  }
  Collective found = any ? read(*rows, *any) : Collective{};
  found.name = name;
  return found;
}

bool can_share_gradients(const Soc& soc) {
  for (const std::string_view name : {"AllReduce", "AllGather"}) {
    const auto found = find_collective(name, soc);
    if (!found || found->support != CollectiveSupport::kYes) return false;
  }
  return true;
}

}  // namespace godwit::facts
