// Rows of data/libraries.tsv.
#include "facts/libraries.h"

#include "base/text.h"
#include "facts/tables.h"

namespace godwit::facts {
namespace {

Replacement to_replacement(std::string_view how) {
  if (how == "same") return Replacement::kSame;
  if (how == "port") return Replacement::kPort;
  return how == "partial" ? Replacement::kPartial : Replacement::kNone;
}

Library read(const Table& table, std::size_t row, const Soc& soc) {
  const auto text = [&](std::string_view column) { return std::string(cell(table, row, column)); };
  return {.name = text("library"),
          .purpose = text("purpose"),
          .imports = list_of(cell(table, row, "imports")),
          .replacements = list_of(cell_to_read(table, row, "replacement")),
          .how = to_replacement(cell(table, row, "how")),
          .needs = list_of(cell_to_read(table, row, "needs")),
          .on_soc =
              table.has_column(soc.family) ? to_flag(cell(table, row, soc.family)) : Flag::kUnknown,
          .note = std::string(cell_to_read(table, row, "note")),
          .source = text("source"),
          .at = text("at")};
}

// "tensorrt.plugin" is part of "tensorrt"; "tensorrt_llm" is not.
bool covers(std::string_view import, std::string_view name) {
  return name == import || (name.starts_with(import) && name[import.size()] == '.');
}

}  // namespace

std::string_view to_string(Replacement how) {
  switch (how) {
    case Replacement::kSame: return "same";
    case Replacement::kPort: return "port";
    case Replacement::kPartial: return "partial";
    case Replacement::kNone: return "none";
  }
  return "none";
}

Result<std::optional<Library>> find_library(std::string_view import_name, const Soc& soc) {
  ASSIGN(const Table* const rows, table("libraries.tsv", {}));
  const std::size_t imports = rows->column("imports");
  std::optional<std::size_t> best;
  std::size_t longest = 0;  // "nvidia.dali" wins over "nvidia"
  for (std::size_t row = 0; row < rows->rows(); ++row) {
    for (const std::string_view import : split_list(rows->at(row, imports))) {
      if (import.size() <= longest || !covers(import, import_name)) continue;
      best = row;
      longest = import.size();
    }
  }
  if (!best) return std::nullopt;
  return std::optional<Library>(read(*rows, *best, soc));
}

Result<std::vector<Library>> libraries(const Soc& soc) {
  ASSIGN(const Table* const rows, table("libraries.tsv", {}));
  std::vector<Library> all;
  for (std::size_t row = 0; row < rows->rows(); ++row) all.push_back(read(*rows, row, soc));
  return all;
}

}  // namespace godwit::facts
