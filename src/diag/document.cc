// The JSON view-model.
#include "diag/document.h"

#include <algorithm>

#include "base/version.h"
#include "diag/counts.h"

namespace godwit::diag {
namespace {

std::uint32_t count_of(const Json& value, std::int64_t fallback = 0) {
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(value.integer(fallback), 0, UINT32_MAX));
}

Severity to_severity(std::string_view word) {
  if (word == "error") return Severity::kError;
  return word == "note" ? Severity::kNote : Severity::kWarning;
}

}  // namespace

Json to_document(const Finding& finding) {
  Json out = Json::object();
  out.set("code", finding.code);
  out.set("severity", to_string(finding.severity));
  out.set("file", finding.place.file);
  out.set("line", finding.place.line);
  out.set("column", finding.place.column);
  if (finding.end_line) out.set("end_line", finding.end_line);
  if (finding.end_column) out.set("end_column", finding.end_column);
  if (finding.place.byte >= 0) out.set("byte", finding.place.byte);
  out.set("title", finding.title());
  out.set("message", finding.message());
  out.set("remedy", finding.remedy());
  out.set("count", finding.count);
  if (!finding.snippet.empty()) out.set("snippet", finding.snippet);
  if (!finding.variant.empty()) out.set("variant", finding.variant);
  out.set("fingerprint", fingerprint(finding));
  Json args = Json::object();
  for (const auto& [name, value] : finding.args) args.set(name, value);
  out.set("args", std::move(args));
  if (!finding.properties.is_null()) out.set("properties", finding.properties);
  return out;
}

Json summary_of(const Outcome& outcome) {
  Json summary = outcome.summary;
  return summary.set("findings", to_document(count(outcome.findings)));
}

Json to_document(const Outcome& outcome) {
  Json out = Json::object();
  out.set("tool", "godwit");
  out.set("version", version());
  out.set("form", kDocumentForm);
  out.set("command", outcome.command);
  Json findings = Json::array();
  for (const Finding& finding : outcome.findings) findings.add(to_document(finding));
  out.set("findings", std::move(findings));
  out.set("summary", summary_of(outcome));
  return out;
}

Finding to_finding(const Json& document) {
  Finding out;
  out.code = document["code"].string();
  out.severity = to_severity(document["severity"].string());
  out.place = {.file = std::string(document["file"].string()),
               .line = count_of(document["line"]),
               .column = count_of(document["column"]),
               .byte = document["byte"].integer(-1)};
  out.end_line = count_of(document["end_line"]);
  out.end_column = count_of(document["end_column"]);
  for (const auto& [name, value] : document["args"].members()) {
    out.args.emplace_back(name, value.string());
  }
  out.variant = document["variant"].string();
  out.snippet = document["snippet"].string();
  out.count = count_of(document["count"], 1);
  out.properties = document["properties"];
  return out;
}

}  // namespace godwit::diag
