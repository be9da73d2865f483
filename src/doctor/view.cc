// Tables and lines of `godwit doctor`, and the same facts as JSON.
#include "doctor/view.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "diag/messages.h"
#include "doctor/install.h"

namespace godwit::doctor {
namespace {

using diag::text;

// Packages that are always told, found or not.
constexpr std::array<std::string_view, 6> kPackages = {"torch", "torch_npu", "torchvision",
                                                       "numpy", "protobuf",  "onnx"};

// What a want allows, as people read it.
std::string range_text(const Want& want) {
  if (want.range) return want.range->text();
  return text("doctor.no_version", {{"ranges", join(want.asked, "; ")}});
}

struct Line {
  std::string name{}, value{}, source{};
  bool is_missing = false;  // known not to be there
};

// "2 × 310P3 (OK), 1 × 310P3 (Alarm)"
std::string npu_text(const Environment& environment) {
  std::map<std::string, int> counts;
  for (const Npu& npu : environment.npus) {
    ++counts[npu.health.empty() ? npu.name : format("{} ({})", npu.name, npu.health)];
  }
  std::string out;
  for (const auto& [name, count] : counts)
    out += format("{}{} × {}", out.empty() ? "" : ", ", count, name);
  return out;
}

std::string gpu_text(const Environment& environment) {
  std::map<std::string, int> counts;
  for (const Gpu& gpu : environment.gpus) ++counts[gpu.name];
  std::string out;
  for (const auto& [name, count] : counts)
    out += format("{}{} × {}", out.empty() ? "" : ", ", count, name);
  return out;
}

std::string ops_text(const Environment& environment) {
  std::string out;
  for (const OpsPackage& ops : environment.ops) out += (out.empty() ? "" : ", ") + ops.family;
  return out;
}

void add_packages(const Environment& environment, std::vector<Line>& lines) {
  for (const std::string_view name : kPackages) {
    const Package* const package = environment.package(name);
    Line line{.name = std::string(name), .is_missing = !package && environment.has_all_packages};
    if (package) {
      line.value = package->version;
      line.source = package->source;
    }
    lines.push_back(std::move(line));
  }
}

std::vector<Line> lines_of(const Environment& environment) {
  const auto of = [](std::string name, const Found& found) {
    return Line{.name = std::move(name), .value = found.value, .source = found.source};
  };
  Found system = environment.os;
  if (system.known()) system.value += " " + environment.os_version.value;
  std::vector<Line> lines = {of("os", system), of("arch", environment.arch)};
  lines.push_back({.name = "npu",
                   .value = npu_text(environment),
                   .source = environment.npus.empty() ? "" : environment.npus.front().source,
                   .is_missing = environment.has_looked_for_npus && environment.npus.empty()});
  for (const std::string_view name : {"driver", "firmware", "cann"}) {
    lines.push_back(of(std::string(name), component(environment, name)));
  }
  lines.push_back({.name = "ops",
                   .value = ops_text(environment),
                   .source = environment.ops.empty() ? "" : environment.ops.front().source,
                   .is_missing = environment.has_all_ops && environment.ops.empty()});
  lines.push_back(of("nnal", environment.nnal));
  lines.push_back(of("python", environment.python));
  add_packages(environment, lines);
  lines.push_back(of("gcc", environment.gcc));
  lines.push_back(of("cmake", environment.cmake));
  if (!environment.gpus.empty())
    lines.push_back({.name = "gpu", .value = gpu_text(environment), .source = "nvidia-smi"});
  for (const std::string_view name : {"nvidia_driver", "cuda"}) {
    const Found found = component(environment, name);
    if (found.known()) lines.push_back(of(std::string(name), found));
  }
  return lines;
}

void add_installed(const Environment& environment, diag::Outcome& outcome) {
  diag::Section section{
      .title = text("doctor.installed"),
      .columns = {text("doctor.component"), text("doctor.found"), text("doctor.from")}};
  Json all = Json::object();
  std::size_t unknown = 0;
  for (const Line& line : lines_of(environment)) {
    const bool is_known = !line.value.empty();
    unknown += !is_known && !line.is_missing;
    section.rows.push_back(
        {line.name,
         is_known ? line.value : text(line.is_missing ? "doctor.missing" : "doctor.unknown"),
         is_known ? line.source : ""});
    Json entry = Json::object();
    entry.set("state", is_known ? "found" : line.is_missing ? "missing" : "unknown");
    if (is_known) {
      entry.set("value", line.value);
      entry.set("source", line.source);
    }
    all.set(line.name, std::move(entry));
  }
  outcome.summary.set("environment", std::move(all));
  outcome.summary.set("unknown_components", unknown);
  outcome.sections.push_back(std::move(section));
}

void add_tally(const Tally& tally, diag::Outcome& outcome) {
  const std::size_t total = tally.judged + tally.unknown.size() + tally.not_applicable;
  diag::Section section{.title = text("doctor.checks")};
  section.lines.push_back(
      text("doctor.tally", {{"total", std::to_string(total)},
                            {"judged", std::to_string(tally.judged)},
                            {"idle", std::to_string(tally.not_applicable)},
                            {"unknown", std::to_string(tally.unknown.size())}}));
  if (!tally.unknown.empty()) {
    section.lines.push_back(text("doctor.not_judged", {{"codes", join(tally.unknown, ", ")}}));
  }
  outcome.sections.push_back(std::move(section));
  Json checks = Json::object();
  checks.set("total", total);
  checks.set("judged", tally.judged);
  checks.set("not_applicable", tally.not_applicable);
  Json codes = Json::array();
  for (const std::string& code : tally.unknown) codes.add(code);
  checks.set("unknown", std::move(codes));
  outcome.summary.set("checks", std::move(checks));
}

void add_requirements(const Context& context, diag::Outcome& outcome) {
  if (context.requirements.empty()) return;
  diag::Section section{.title = text("doctor.requirements_title"),
                        .columns = {text("doctor.component"), text("doctor.wanted"),
                                    text("doctor.found"), text("doctor.verdict")}};
  Json all = Json::array();
  for (const Pin& line : context.requirements) {
    const Found found = component(context.environment, line.name);
    const auto version = found.version();
    const std::string verdict = !version                        ? "unknown"
                                : line.range.contains(*version) ? "met"
                                                                : "unmet";
    section.rows.push_back({line.name, line.range.text(),
                            found.known() ? found.value : text("doctor.unknown"),
                            text("doctor." + verdict)});
    Json entry = Json::object();
    entry.set("component", line.name);
    entry.set("range", line.range.text());
    entry.set("found", found.value);
    entry.set("verdict", verdict);
    all.add(std::move(entry));
  }
  outcome.summary.set("requirements", std::move(all));
  outcome.sections.push_back(std::move(section));
}

Json to_json(const std::vector<Constraint>& constraints) {
  Json all = Json::array();
  for (const Constraint& constraint : constraints) all.add(constraint.text());
  return all;
}

std::string join_texts(const std::vector<Constraint>& constraints) {
  std::vector<std::string> texts;
  for (const Constraint& constraint : constraints) texts.push_back(constraint.text());
  return join(texts, "; ");
}

// Packages with a range of their own; the plain "must be there" rows are in the install line.
std::vector<std::pair<std::string, std::string>> rows_of(const Solution& solution) {
  std::vector<std::pair<std::string, std::string>> rows = {
      {"driver", solution.driver_is_known ? solution.driver : text("doctor.unknown")},
      {"cann", solution.cann},
      {"python", solution.python},
      {"torch", solution.torch},
      {"torch_npu", solution.torch_npu}};
  for (const Want& want : solution.wants()) {
    const bool is_told =
        std::find(kPackages.begin(), kPackages.end(), want.component) != kPackages.end();
    const bool binds = !want.range || !want.range->is_any();
    if (binds && (is_told || want.is_pinned)) rows.emplace_back(want.component, range_text(want));
  }
  return rows;
}

Json to_json(const Solution& solution) {
  Json out = Json::object();
  for (const auto& [name, value] : rows_of(solution)) out.set(name, value);
  out.set("status", solution.status);
  out.set("keeps_driver", solution.keeps_driver);
  return out;
}

std::string sentence(const Solution& solution) {
  return format("CANN {}, torch {}, torch_npu {}, Python {}, HDK {}", solution.cann, solution.torch,
                solution.torch_npu, solution.python,
                solution.driver_is_known ? solution.driver : text("doctor.unknown"));
}

void add_remarks(const Context& context, const facts::Target* target, diag::Section& section) {
  const Plan& plan = context.plan;
  if (target) section.lines.push_back(text("doctor.target", {{"target", target->understood()}}));
  section.lines.push_back(text("doctor.status_" + plan.solution->status));
  if (!plan.solution->driver_is_known) {
    section.lines.push_back(text("doctor.driver_unknown", {{"cann", plan.solution->cann}}));
  }
  if (!plan.conflict.empty()) {
    section.lines.push_back(text("doctor.conflict", {{"conflict", join_texts(plan.conflict)}}));
    section.lines.push_back(text("doctor.given_up", {{"given_up", join_texts(plan.given_up)}}));
  }
  if (plan.with_upgrade) {
    section.lines.push_back(
        text("doctor.with_upgrade", {{"solution", sentence(*plan.with_upgrade)}}));
  }
  const std::string note =
      context.soc() ? "doctor.target_note." + context.soc()->family : std::string();
  if (!note.empty() && diag::has_text(note)) section.lines.push_back(text(note));
}

// "requirements.txt:3": why a row is what it is.
std::string reasons(const Plan& plan, std::string_view name) {
  std::string out;
  for (const Constraint& constraint : plan.kept) {
    if (constraint.component == name) out += (out.empty() ? "" : ", ") + constraint.where();
  }
  return out;
}

void add_plan(const Context& context, const facts::Target* target, diag::Outcome& outcome) {
  const Plan& plan = context.plan;
  Json out = Json::object();
  out.set("conflict", to_json(plan.conflict));
  out.set("given_up", to_json(plan.given_up));
  if (plan.solution) {
    diag::Section section{.title = text("doctor.recommended"),
                          .columns = {text("doctor.component"), text("doctor.now"),
                                      text("doctor.wanted"), text("doctor.kept_for")}};
    const std::vector<Line> lines = lines_of(context.environment);
    for (const auto& [name, value] : rows_of(*plan.solution)) {
      const Found found = component(context.environment, name);
      const auto line = std::find_if(lines.begin(), lines.end(),
                                     [&](const Line& each) { return each.name == name; });
      const bool is_missing = line != lines.end() && line->is_missing;
      const std::string none = text(is_missing ? "doctor.missing" : "doctor.unknown");
      section.rows.push_back(
          {name, found.known() ? found.value : none, value, reasons(plan, name)});
    }
    add_remarks(context, target, section);
    outcome.sections.push_back(std::move(section));
    out.set("solution", to_json(*plan.solution));
  }
  if (plan.with_upgrade) out.set("with_upgrade", to_json(*plan.with_upgrade));
  outcome.summary.set("plan", std::move(out));
}

// One column, remarks as comments, so that it can be pasted into a shell.
void add_steps(const Context& context, diag::Outcome& outcome) {
  if (!context.plan.solution) return;
  diag::Section section{.title = text("doctor.install"),
                        .columns = {"# " + text("doctor.in_order")}};
  Json all = Json::array(), notes = Json::array();
  std::string last;
  for (const Step& step : install_steps(context.knowledge, context.environment,
                                        *context.plan.solution, context.soc())) {
    if (step.note != last && !step.note.empty()) section.rows.push_back({"# " + text(step.note)});
    last = step.note;
    section.rows.push_back({step.command});
    all.add(step.command);
    notes.add(step.note);
  }
  outcome.summary.set("install", std::move(all));
  outcome.summary.set("install_notes", std::move(notes));
  outcome.sections.push_back(std::move(section));
}

}  // namespace

void add_views(const Context& context, const facts::Target* target, const Tally& tally,
               diag::Outcome& outcome) {
  add_installed(context.environment, outcome);
  add_tally(tally, outcome);
  add_requirements(context, outcome);
  add_plan(context, target, outcome);
  add_steps(context, outcome);
}

}  // namespace godwit::doctor
