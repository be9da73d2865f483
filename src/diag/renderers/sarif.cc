// SARIF 2.1.0 (OASIS): what code-scanning services and editors read.
#include <map>

#include "base/text.h"
#include "base/version.h"
#include "diag/document.h"
#include "diag/messages.h"
#include "diag/renderer.h"

namespace godwit::diag::renderers {
namespace {

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

// RFC 3986, section 2.3, and "/" between the parts.
std::string to_uri(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

Json message(std::string_view content) {
  Json out = Json::object();
  out.set("text", content);
  return out;
}

// A text of a code without the arguments of one finding: "{api} has no kernel" reads "… has no
// kernel".
std::string general(std::string_view key) {
  std::string out = text(key);
  for (std::size_t open = 0; (open = out.find('{', open)) != std::string::npos;) {
    const std::size_t close = out.find('}', open);
    if (close == std::string::npos) break;
    out.replace(open, close + 1 - open, "…");
  }
  return out;
}

// A rule is a code; its texts are those of `godwit explain`, so they name no single place.
Json rule(const Finding& finding) {
  const std::string explain_key = format("{}.explain", finding.code);
  const std::string title = general(format("{}.title", finding.code));
  const std::string explain = has_text(explain_key) ? general(explain_key) : title;
  Json out = Json::object();
  out.set("id", finding.code);
  out.set("shortDescription", message(title));
  out.set("fullDescription", message(explain));
  out.set("help", message(format("{}\n\ngodwit explain {}", explain, finding.code)));
  Json level = Json::object();
  level.set("level", to_string(finding.severity));
  out.set("defaultConfiguration", std::move(level));
  return out;
}

Json region(const Finding& finding) {
  Json out = Json::object();
  if (finding.place.line) {
    out.set("startLine", finding.place.line);
    if (finding.place.column) out.set("startColumn", finding.place.column);
    if (finding.end_line >= finding.place.line) out.set("endLine", finding.end_line);
    const bool one_line = finding.end_line <= finding.place.line;
    if (finding.end_column && (!one_line || finding.end_column >= finding.place.column)) {
      out.set("endColumn", finding.end_column);
    }
  } else if (finding.place.byte >= 0) {
    out.set("byteOffset", finding.place.byte);
  }
  if (!out.members().empty() && !finding.snippet.empty())
    out.set("snippet", message(finding.snippet));
  return out;
}

Json location(const Finding& finding) {
  Json artifact = Json::object();
  artifact.set("uri", to_uri(finding.place.file));
  Json physical = Json::object();
  physical.set("artifactLocation", std::move(artifact));
  if (Json part = region(finding); !part.members().empty()) physical.set("region", std::move(part));
  Json out = Json::object();
  out.set("physicalLocation", std::move(physical));
  return out;
}

Json result(const Finding& finding, std::size_t rule_index) {
  std::string said = finding.message();
  if (said.empty()) said = finding.title();
  if (const std::string remedy = finding.remedy(); !remedy.empty()) said += "\n" + remedy;
  Json out = Json::object();
  out.set("ruleId", finding.code);
  out.set("ruleIndex", rule_index);
  out.set("level", to_string(finding.severity));
  out.set("message", message(said));
  if (!finding.place.file.empty()) {
    Json locations = Json::array();
    locations.add(location(finding));
    out.set("locations", std::move(locations));
  }
  Json prints = Json::object();
  prints.set("godwit/v1", fingerprint(finding));
  out.set("partialFingerprints", std::move(prints));
  if (finding.count > 1) out.set("occurrenceCount", finding.count);
  Json properties = finding.properties.is_object() ? finding.properties : Json::object();
  for (const auto& [name, value] : finding.args) properties.set(name, value);
  out.set("properties", std::move(properties));
  return out;
}

Json driver(Json rules) {
  Json out = Json::object();
  out.set("name", "godwit");
  out.set("version", version());
  out.set("semanticVersion", version());
  out.set("language", language() == Language::kChinese ? "zh-CN" : "en");
  out.set("rules", std::move(rules));
  return out;
}

std::string render(const Outcome& outcome, const Style&) {
  Json rules = Json::array(), results = Json::array();
  std::map<std::string_view, std::size_t> index;
  for (const Finding& finding : outcome.findings) {
    const auto [at, is_new] = index.emplace(finding.code, index.size());
    if (is_new) rules.add(rule(finding));
    results.add(result(finding, at->second));
  }
  Json tool = Json::object();
  tool.set("driver", driver(std::move(rules)));
  Json run = Json::object();
  run.set("tool", std::move(tool));
  run.set("results", std::move(results));
  Json properties = Json::object();
  properties.set("command", outcome.command);
  properties.set("summary", summary_of(outcome));
  run.set("properties", std::move(properties));
  Json runs = Json::array();
  runs.add(std::move(run));
  Json out = Json::object();
  out.set("$schema", kSchema);
  out.set("version", "2.1.0");
  out.set("runs", std::move(runs));
  return out.dump(2) + "\n";
}

}  // namespace

extern const Renderer sarif = {.name = "sarif", .render = render};

}  // namespace godwit::diag::renderers
