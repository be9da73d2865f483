// Rows of data/observed.tsv.
#include "facts/observed.h"

#include <cctype>

#include "base/text.h"
#include "facts/tables.h"

namespace godwit::facts {
namespace {

// "QuantBatchMatmulV3" is not about "QuantBatchMatmul"; "ResizeD (bicubic …)" is about "ResizeD".
bool is_about(std::string_view subject, std::string_view name) {
  if (name.empty() || !subject.starts_with(name)) return false;
  if (subject.size() == name.size()) return true;
  const auto next = static_cast<unsigned char>(subject[name.size()]);
  return std::isalnum(next) == 0 && next != '_';
}

Report read(const Table& rows, std::size_t row) {
  const auto text = [&](std::string_view column) { return std::string(cell(rows, row, column)); };
  return {.id = text("id"),
          .operator_ = text("operator"),
          .soc = text("soc"),
          .software = text("software"),
          .symptom = text("symptom"),
          .expected = text("expected"),
          .resolution = text("resolution"),
          .source = text("source"),
          .at = text("at")};
}

}  // namespace

Result<std::vector<Report>> reports() {
  ASSIGN(const Table* const rows, table("observed.tsv", {}));
  std::vector<Report> all;
  for (std::size_t row = 0; row < rows->rows(); ++row) all.push_back(read(*rows, row));
  return all;
}

Result<std::vector<Report>> reports_about(std::string_view name) {
  ASSIGN(const Table* const rows, table("observed.tsv", {}));
  const std::size_t subject = rows->column("operator");
  std::vector<Report> found;
  for (std::size_t row = 0; row < rows->rows(); ++row) {
    if (is_about(rows->at(row, subject), name)) found.push_back(read(*rows, row));
  }
  return found;
}

Status add_reports(std::string_view name, std::vector<Evidence>& evidence) {
  ASSIGN(const std::vector<Report> all, reports_about(name));
  for (const Report& report : all) {
    evidence.push_back({.layer = Layer::kObserved,
                        .table = "observed.tsv",
                        .subject = report.operator_,
                        .says = format("{}: {}", report.soc, report.symptom),
                        .source = report.source,
                        .at = report.at});
  }
  return {};
}

}  // namespace godwit::facts
