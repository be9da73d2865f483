// Workflow commands: GitHub shows each finding at its line of a pull request.
#include "base/markup.h"
#include "base/text.h"
#include "diag/renderer.h"

namespace godwit::diag::renderers {
namespace {

// The runner decodes %25, %0D, %0A in messages, and %3A, %2C in properties as well. Other controls
// would reach the terminal of whoever reads the log.
std::string message_text(std::string_view raw) {
  std::string out = replace_all(printable(raw), "%", "%25");
  return replace_all(replace_all(out, "\r", "%0D"), "\n", "%0A");
}

std::string property_text(std::string_view raw) {
  return replace_all(replace_all(message_text(raw), ":", "%3A"), ",", "%2C");
}

std::string_view level_of(Severity severity) {
  return severity == Severity::kNote ? "notice" : to_string(severity);
}

std::string line_of(const Finding& finding) {
  std::string properties;
  const auto add = [&](std::string_view name, std::string_view value) {
    properties += format("{}{}={}", properties.empty() ? " " : ",", name, property_text(value));
  };
  const auto add_number = [&](std::string_view name, std::uint32_t value) {
    if (value) add(name, std::to_string(value));
  };
  if (!finding.place.file.empty()) add("file", finding.place.file);
  add_number("line", finding.place.line);
  add_number("endLine", finding.end_line);
  add_number("col", finding.place.column);
  add_number("endColumn", finding.end_column);
  add("title", format("{} {}", finding.code, finding.title()));
  std::string message = finding.message();
  if (message.empty()) message = finding.title();
  if (const std::string remedy = finding.remedy(); !remedy.empty()) message += "\n" + remedy;
  return format("::{}{}::{}\n", level_of(finding.severity), properties, message_text(message));
}

std::string render(const Outcome& outcome, const Style&) {
  std::string out;
  for (const Finding& finding : outcome.findings) out += line_of(finding);
  return out;
}

}  // namespace

extern const Renderer github = {.name = "github", .render = render};

}  // namespace godwit::diag::renderers
