// Rows of data/env.tsv.
#include "facts/environment.h"

#include "facts/tables.h"

namespace godwit::facts {

std::string_view to_string(Relation relation) {
  if (relation == Relation::kSame) return "same";
  return relation == Relation::kSimilar ? "similar" : "none";
}

Result<std::vector<Variable>> find_variable(std::string_view cuda) {
  ASSIGN(const Table* const rows, table("env.tsv", {"cuda"}));
  std::vector<Variable> found;
  for (const std::uint32_t row : rows->find(rows->column("cuda"), cuda)) {
    const auto text = [&](std::string_view column) {
      return std::string(cell(*rows, row, column));
    };
    const std::string_view relation = cell(*rows, row, "relation");
    found.push_back({.cuda = text("cuda"),
                     .ascend = text("ascend"),
                     .relation = relation == "same"      ? Relation::kSame
                                 : relation == "similar" ? Relation::kSimilar
                                                         : Relation::kNone,
                     .note = std::string(cell_to_read(*rows, row, "note")),
                     .source = text("source"),
                     .at = text("at")});
  }
  return found;
}

}  // namespace godwit::facts
