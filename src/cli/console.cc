// Output of commands: rendering, filters, baseline and exit codes.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/output_place.h"
#include "diag/error_text.h"
#include "diag/messages.h"

namespace godwit::cli {
namespace {

bool matches(const diag::Finding& finding, const std::vector<std::string>& codes) {
  return std::any_of(codes.begin(), codes.end(),
                     [&](const std::string& code) { return finding.code.starts_with(code); });
}

// A baseline is a JSON document of an earlier run; only findings that are not in it are kept.
Result<std::set<std::string>> read_baseline(const std::string& path) {
  ASSIGN(const std::string content, read_file(path));
  ASSIGN(const Json document, parse_json(content, path));
  std::set<std::string> known;
  if (!document["findings"].is_array()) return fail("E016", {.file = path}, {{"path", path}});
  for (const Json& finding : document["findings"].items()) {
    if (!finding["fingerprint"].is_string()) return fail("E016", {.file = path}, {{"path", path}});
    known.emplace(finding["fingerprint"].string());
  }
  return known;
}

Status filter(diag::Outcome& outcome, const Arguments& arguments) {
  const auto select = arguments.list("--select");
  const auto ignore = arguments.list("--ignore");
  std::set<std::string> known;
  if (arguments.has("--baseline")) {
    ASSIGN(known, read_baseline(arguments.text("--baseline")));
  }
  std::erase_if(outcome.findings, [&](const diag::Finding& finding) {
    return (!select.empty() && !matches(finding, select)) || matches(finding, ignore) ||
           (!known.empty() && known.contains(diag::fingerprint(finding)));
  });
  return {};
}

ExitCode verdict(const diag::Outcome& outcome, std::string_view fail_on) {
  if (fail_on == "never") return ExitCode::kFine;
  const auto least = fail_on == "note"      ? diag::Severity::kNote
                     : fail_on == "warning" ? diag::Severity::kWarning
                                            : diag::Severity::kError;
  const bool failed = std::any_of(outcome.findings.begin(), outcome.findings.end(),
                                  [&](const auto& f) { return f.severity >= least; });
  return failed ? ExitCode::kFindings : ExitCode::kFine;
}

Status emit(const diag::Outcome& outcome, const Arguments& arguments, const Console& console) {
  ASSIGN(const diag::Renderer* const renderer, diag::find_renderer(arguments.text("--format")));
  diag::Style style = console.style;
  style.every_place = arguments.has("--all");
  const bool to_file = arguments.has("--output");
  if (to_file) style.color = false;
  const std::string text = renderer->render(outcome, style);
  if (!to_file) {
    console.print(text);
    return {};
  }
  const std::string file = arguments.text("--output");
  TRY(check_output_place(arguments, file));
  return write_file(file, text);
}

}  // namespace

bool Arguments::has(std::string_view name) const { return values.contains(name); }

std::string Arguments::text(std::string_view name) const {
  const auto found = values.find(name);
  return found == values.end() || found->second.empty() ? std::string() : found->second.back();
}

std::vector<std::string> Arguments::list(std::string_view name) const {
  std::vector<std::string> all;
  const auto found = values.find(name);
  if (found == values.end()) return all;
  for (const std::string& value : found->second) {
    for (const std::string_view part : split_list(value, ',')) all.emplace_back(part);
  }
  return all;
}

void Console::print(std::string_view result) const {
  std::fwrite(result.data(), 1, result.size(), stdout);
}

void Console::note(std::string_view line) const {
  std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
}

ExitCode Console::report(const Error& error) const {
  const std::string text = diag::render(error, style.width);
  std::fwrite(text.data(), 1, text.size(), stderr);
  return ExitCode::kUsage;
}

ExitCode Console::deliver(diag::Outcome outcome, const Arguments& arguments) const {
  if (const Status status = filter(outcome, arguments); !status) return report(status.error());
  diag::sort(outcome.findings);
  if (const Status status = emit(outcome, arguments, *this); !status) return report(status.error());
  return verdict(outcome, arguments.text("--fail-on"));
}

}  // namespace godwit::cli
