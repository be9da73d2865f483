// The JSON view-model.
#include "diag/document.h"

#include "base/version.h"

namespace godwit::diag {

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
  out.set("fingerprint", fingerprint(finding));
  Json args = Json::object();
  for (const auto& [name, value] : finding.args) args.set(name, value);
  out.set("args", std::move(args));
  if (!finding.properties.is_null()) out.set("properties", finding.properties);
  return out;
}

Json to_document(const Outcome& outcome) {
  Json out = Json::object();
  out.set("tool", "godwit");
  out.set("version", version());
  out.set("command", outcome.command);
  Json findings = Json::array();
  for (const Finding& finding : outcome.findings) findings.add(to_document(finding));
  out.set("findings", std::move(findings));
  out.set("summary", outcome.summary);
  return out;
}

}  // namespace godwit::diag
