// Matches findings of scan with edits and findings of port by rule, file and line.
#include "report/answers.h"

#include <set>

#include "base/text.h"

namespace godwit::report {
namespace {

using Places = std::set<std::string>;

void add(Places& places, std::string_view code, std::string_view file, std::int64_t line) {
  places.insert(format("{} {}", code, file));
  places.insert(format("{} {}:{}", code, file, line));
}

Places edited_places(const diag::Outcome& port) {
  Places places;
  for (const Json& file : port.summary["changed"].items()) {
    for (const Json& edit : file["edits"].items())
      add(places, edit["code"].string(), file["path"].string(), edit["line"].integer());
  }
  return places;
}

Places left_places(const diag::Outcome& port) {
  Places places;
  for (const diag::Finding& finding : port.findings)
    add(places, finding.code, finding.place.file, finding.place.line);
  return places;
}

bool is_answered(const diag::Finding& finding, const Places& places) {
  for (const Json& code : finding.properties["answered_by"].items()) {
    std::string key = format("{} {}", code.string(), finding.place.file);
    if (finding.count == 1) key += format(":{}", finding.place.line);
    if (places.contains(key)) return true;
  }
  return false;
}

}  // namespace

std::map<std::string, diag::Outcome> with_answers(std::map<std::string, diag::Outcome> outcomes) {
  const auto port = outcomes.find("port");
  const auto scan = outcomes.find("scan");
  if (port == outcomes.end() || scan == outcomes.end()) return outcomes;
  const Places edited = edited_places(port->second), left = left_places(port->second);
  auto& findings = scan->second.findings;
  std::erase_if(findings, [&](const diag::Finding& each) { return is_answered(each, left); });
  for (diag::Finding& finding : findings) {
    if (!is_answered(finding, edited)) continue;
    finding.severity = diag::Severity::kNote;
    finding.properties.set("state", "ported");
  }
  return outcomes;
}

}  // namespace godwit::report
