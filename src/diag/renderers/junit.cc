// JUnit XML: test pages of CI servers list one case per finding; only errors count as failed.
#include <algorithm>

#include "base/markup.h"
#include "base/text.h"
#include "diag/renderer.h"

namespace godwit::diag::renderers {
namespace {

std::string attribute(std::string_view name, std::string_view value) {
  // A literal newline in an attribute is read as a blank (XML 1.0, section 3.3.3).
  return format(" {}=\"{}\"", name, replace_all(escape_markup(value), "\n", "&#10;"));
}

std::string name_of(const Finding& finding) {
  std::string name = format("{} {}", finding.code, finding.place.file);
  if (finding.place.line) name += format(":{}", finding.place.line);
  if (finding.place.column) name += format(":{}", finding.place.column);
  return std::string(trim(name));
}

std::string body_of(const Finding& finding) {
  std::string body = finding.message();
  for (const std::string& part : {std::string(trim(finding.snippet)), finding.remedy()}) {
    if (!part.empty()) body += "\n" + part;
  }
  return body;
}

// Dots would be read as packages: "src.train.py" must stay one name, so slashes stay slashes.
std::string testcase(const Finding& finding) {
  std::string out =
      "    <testcase" + attribute("classname", finding.place.file.empty()
                                                   ? std::string_view("godwit")
                                                   : std::string_view(finding.place.file));
  out += attribute("name", name_of(finding));
  if (finding.place.line) {
    out += attribute("file", finding.place.file);
    out += attribute("line", std::to_string(finding.place.line));
  }
  const std::string body = escape_markup(body_of(finding));
  if (finding.severity == Severity::kError) {
    return out + ">\n      <failure" + attribute("type", finding.code) +
           attribute("message", finding.title()) + ">" + body + "</failure>\n    </testcase>\n";
  }
  return out + ">\n      <system-out>" +
         escape_markup(format("{}: {}\n", to_string(finding.severity), finding.title())) + body +
         "</system-out>\n    </testcase>\n";
}

std::string render(const Outcome& outcome, const Style&) {
  const auto failures =
      std::count_if(outcome.findings.begin(), outcome.findings.end(),
                    [](const Finding& f) { return f.severity == Severity::kError; });
  const std::string suite = format("godwit {}", outcome.command);
  // Servers call an empty suite a failure, so a clean run says so with one case.
  const std::size_t cases = std::max<std::size_t>(outcome.findings.size(), 1);
  const std::string counts = format(" tests=\"{}\" failures=\"{}\" errors=\"0\"", cases, failures);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += "<testsuites" + attribute("name", "godwit") + counts + ">\n";
  out += "  <testsuite" + attribute("name", suite) + counts + ">\n";
  for (const Finding& finding : outcome.findings) out += testcase(finding);
  if (outcome.findings.empty()) {
    out += "    <testcase" + attribute("classname", "godwit") + attribute("name", outcome.command) +
           "/>\n";
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace

extern const Renderer junit = {.name = "junit", .render = render};

}  // namespace godwit::diag::renderers
