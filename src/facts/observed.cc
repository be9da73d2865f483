// Rows of data/observed.tsv.
#include "facts/observed.h"

#include <cctype>

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

}  // namespace

Result<std::vector<Report>> reports() {
  ASSIGN(const Table* const rows, table("observed.tsv", {}));
  std::vector<Report> all;
  for (std::size_t row = 0; row < rows->rows(); ++row) {
    const auto text = [&](std::string_view column) {
      return std::string(cell(*rows, row, column));
    };
    all.push_back({.id = text("id"),
                   .operator_ = text("operator"),
                   .soc = text("soc"),
                   .software = text("software"),
                   .symptom = text("symptom"),
                   .expected = text("expected"),
                   .resolution = text("resolution"),
                   .source = text("source"),
                   .at = text("at")});
  }
  return all;
}

Result<std::vector<Report>> reports_about(std::string_view name) {
  ASSIGN(std::vector<Report> all, reports());
  std::erase_if(all, [&](const Report& report) { return !is_about(report.operator_, name); });
  return all;
}

}  // namespace godwit::facts
