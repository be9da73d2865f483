// godwit scan: what of a project, a model or an operator trace does the chip support?
#include "scan/scan.h"

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/output_place.h"
#include "diag/document.h"
#include "facts/soc.h"
#include "project/settings.h"
#include "report/checklist.h"
#include "report/page.h"

namespace godwit::cli::commands {
namespace {

// The command line wins over godwit.toml, word by word.
std::string choose(const Arguments& arguments, std::string_view option,
                   const std::string& setting) {
  return arguments.has(option) ? arguments.text(option) : setting;
}

Result<scan::Options> options_from(const Arguments& arguments, const project::Settings& settings) {
  const std::string to = choose(arguments, "--to", settings.target);
  if (to.empty()) return fail("E055");
  scan::Options options;
  ASSIGN(options.target, facts::resolve_target(to));
  ASSIGN(options.mode, scan::parse_mode(choose(arguments, "--mode", settings.mode)));
  options.torch_npu = choose(arguments, "--torch-npu", settings.torch_npu);
  options.exclude = arguments.has("--exclude") ? arguments.list("--exclude") : settings.exclude;
  options.installed = arguments.has("--installed");
  options.progress = true;
  return options;
}

// Only what --baseline reads: a stable name per finding, and enough beside it for a review.
Status write_baseline(const std::string& path, const diag::Outcome& outcome) {
  Json findings = Json::array();
  for (const diag::Finding& finding : outcome.findings) {
    Json one = Json::object();
    one.set("code", finding.code);
    one.set("file", finding.place.file);
    one.set("line", finding.place.line);
    one.set("fingerprint", diag::fingerprint(finding));
    findings.add(std::move(one));
  }
  Json document = Json::object();
  document.set("tool", "godwit");
  document.set("command", "baseline");
  document.set("findings", std::move(findings));
  return write_file(path, document.dump(1) + "\n");
}

// The part of the checklist that a scan can judge, above the effort.
void add_checklist(diag::Outcome& outcome) {
  Json::Array kinds;
  if (outcome.summary["project"].is_object()) kinds.emplace_back("project");
  if (!outcome.summary["models"].items().empty()) kinds.emplace_back("onnx");
  Json subject = Json::object();
  subject.set("kinds", Json(std::move(kinds)));
  report::Source source{.manifest = Json::object()};
  source.manifest.set("subject", std::move(subject));
  diag::Outcome& scanned = source.outcomes["scan"] = std::move(outcome);
  std::vector<report::Check> checks = report::judge_checklist(source);
  std::erase_if(checks, [](const report::Check& check) { return check.phase != "analyse"; });
  outcome = std::move(scanned);
  outcome.summary.set("checklist", report::count_states(checks));
  outcome.sections.insert(std::prev(outcome.sections.end()), report::to_section(checks));
}

Arguments with_settings(Arguments arguments, const project::Settings& settings) {
  const auto add = [&](const std::string& option, const std::vector<std::string>& values) {
    if (!values.empty() && !arguments.has(option)) arguments.values[option] = values;
  };
  add("--select", settings.select);
  add("--ignore", settings.ignore);
  return arguments;
}

ExitCode run(const Arguments& arguments, const Console& console) {
  const std::string path = arguments.text("PATH");
  const auto settings = project::read_settings(path);
  if (!settings) return console.report(settings.error());
  const auto options = options_from(arguments, *settings);
  if (!options) return console.report(options.error());
  auto report = scan::scan(path, *options);
  if (!report) return console.report(report.error());
  add_checklist(report->outcome);
  if (arguments.has("--write-baseline")) {
    const std::string file = arguments.text("--write-baseline");
    Status written = check_output_place(arguments, file);
    if (written) written = write_baseline(file, report->outcome);
    if (!written) return console.report(written.error());
  }
  return console.deliver(std::move(report->outcome), with_settings(arguments, *settings));
}

}  // namespace

extern const Command scan = {
    .name = "scan",
    .options = {{.name = "PATH", .required = true},
                {.name = "--to", .value = "SOC"},
                {.name = "--mode", .value = "MODE", .choices = {"auto", "inference", "training"}},
                {.name = "--installed"},
                {.name = "--torch-npu", .value = "VERSION"},
                {.name = "--exclude", .value = "GLOB", .many = true},
                {.name = "--write-baseline", .value = "FILE"}},
    .phase = Phase::kAnalyse,
    .shared = Shared::kFindings,
    .examples =
        {"godwit scan . --to ascend310p", "godwit scan model.onnx --to Ascend310P3 --format sarif",
         "godwit scan train/ --to \"Atlas 300I Duo\" --mode training --baseline known.json"},
    .run = run,
};

}  // namespace godwit::cli::commands
