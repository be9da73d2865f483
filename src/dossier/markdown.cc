// Tables of one column are commands to paste: they become code blocks.
#include "dossier/markdown.h"

#include <algorithm>

#include "base/markup.h"
#include "base/text.h"
#include "diag/messages.h"

namespace godwit::dossier {
namespace {

std::string inline_text(std::string_view text) {
  std::string out = replace_all(printable(text), "\n", " ");
  for (const std::string_view mark : {"\\", "|", "<", "`", "*", "_", "["}) {
    out = replace_all(out, mark, "\\" + std::string(mark));
  }
  return out;
}

std::string row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + inline_text(cell) + " |";
  return out + "\n";
}

std::string code_block(const std::vector<std::vector<std::string>>& rows) {
  std::string out = "```sh\n";
  for (const auto& cells : rows) {
    if (!cells.empty()) out += replace_all(printable(cells.front()), "```", "") + "\n";
  }
  return out + "```\n";
}

std::string table(const diag::Section& section) {
  if (section.columns.size() < 2) return code_block(section.rows);
  std::string out = row(section.columns) + "|";
  for (std::size_t i = 0; i < section.columns.size(); ++i) out += "---|";
  out += "\n";
  for (const auto& cells : section.rows) out += row(cells);
  return out;
}

std::string entry(const diag::Finding& finding) {
  const std::string severity =
      diag::text(format("report.severity_{}", diag::to_string(finding.severity)));
  std::string out = format("- **{} {}** {}", finding.code, severity, inline_text(finding.title()));
  if (!finding.place.file.empty()) {
    out += " — " + inline_text(finding.place.file);
    if (finding.place.line) out += format(":{}", finding.place.line);
  }
  for (const std::string& part : {finding.message(), finding.remedy()}) {
    if (!part.empty()) out += "\n  " + inline_text(part) + "  ";
  }
  return out + "\n";
}

}  // namespace

std::string to_markdown(const diag::Outcome& outcome, std::string_view title) {
  std::string out = format("# {}\n", inline_text(title));
  if (!outcome.findings.empty()) out += "\n";
  for (const diag::Finding& finding : outcome.findings) out += entry(finding);
  for (const diag::Section& section : outcome.sections) {
    if (!section.title.empty()) out += format("\n## {}\n", inline_text(section.title));
    if (!section.columns.empty()) out += "\n" + table(section);
    if (!section.lines.empty()) out += "\n";
    for (const std::string& line : section.lines) out += inline_text(line) + "\n\n";
  }
  return out;
}

}  // namespace godwit::dossier
