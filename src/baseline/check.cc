// Runs the checks over two runs, and lays their first steps side by side.
#include "baseline/check.h"

#include <algorithm>

#include "base/text.h"
#include "diag/messages.h"

namespace godwit::baseline {
namespace {

constexpr std::size_t kStepsShown = 5;

std::string figure(const Run& run, std::size_t step, std::string_view key) {
  const Json& value = run.steps[step][key];
  if (value.is_null()) return "-";
  if (value.is_number()) return format("{:.7g}", value.number());
  return shown(value);
}

diag::Section steps_section(const Pair& pair) {
  diag::Section section{.title = diag::text("baseline_text.steps"),
                        .columns = {diag::text("baseline_text.step"), "loss A", "loss B",
                                    "grad_norm A", "grad_norm B"}};
  for (std::size_t i = 0; i < std::min(pair.steps, kStepsShown); ++i) {
    section.rows.push_back({std::to_string(i + 1), figure(pair.a, i, "loss"),
                            figure(pair.b, i, "loss"), figure(pair.a, i, "grad_norm"),
                            figure(pair.b, i, "grad_norm")});
  }
  return section;
}

void summarise(const Pair& pair, const std::vector<std::string_view>& unknown,
               diag::Outcome& outcome) {
  const bool is_blocked = std::any_of(
      outcome.findings.begin(), outcome.findings.end(),
      [](const diag::Finding& found) { return found.severity == diag::Severity::kError; });
  Json codes = Json::array();
  for (const std::string_view code : unknown) codes.add(code);
  outcome.summary.set("a", pair.a.name);
  outcome.summary.set("b", pair.b.name);
  outcome.summary.set("steps_a", pair.a.steps.size());
  outcome.summary.set("steps_b", pair.b.steps.size());
  outcome.summary.set("comparable", !is_blocked);
  outcome.summary.set("unknown", std::move(codes));
  diag::Section verdict{.title = diag::text("baseline_text.verdict")};
  verdict.lines.push_back(
      diag::text(is_blocked ? "baseline_text.not_comparable" : "baseline_text.comparable",
                 {{"steps", std::to_string(pair.steps)}, {"a", pair.a.name}, {"b", pair.b.name}}));
  for (const std::string_view code : unknown) {
    verdict.lines.push_back(
        diag::text("baseline_text.unknown",
                   {{"code", std::string(code)}, {"title", diag::text(format("{}.title", code))}}));
  }
  outcome.sections.push_back(std::move(verdict));
  if (pair.steps > 0) outcome.sections.push_back(steps_section(pair));
}

}  // namespace

diag::Finding finding(std::string_view code, diag::Severity severity, const Pair& pair,
                      std::size_t step, Args args) {
  args.emplace_back("a", pair.a.name);
  args.emplace_back("b", pair.b.name);
  args.emplace_back("step", std::to_string(step));
  return {.code = std::string(code),
          .severity = severity,
          .place = {.file = pair.b.name},
          .args = std::move(args),
          .properties = step > 0 ? Json::object().set("step", step) : Json()};
}

Difference first_difference(const Pair& pair, std::string_view key) {
  Difference found;
  for (std::size_t i = 0; i < pair.steps; ++i) {
    const Json& a = pair.a.steps[i][key];
    const Json& b = pair.b.steps[i][key];
    if (a.is_null() || b.is_null()) continue;
    found.is_known = true;
    if (!(a == b)) {
      found.step = i + 1;
      break;
    }
  }
  return found;
}

std::string shown(const Json& value) {
  return value.is_string() ? std::string(value.string()) : value.dump();
}

std::vector<std::string> differing(const Json& a, const Json& b) {
  std::vector<std::string> found;
  for (const auto& [key, value] : a.members()) {
    const Json& other = b[key];
    if (other.is_null() || other == value) continue;
    found.push_back(format("{}: {} / {}", key, shown(value), shown(other)));
  }
  return found;
}

Result<diag::Outcome> check(const std::filesystem::path& a, const std::filesystem::path& b) {
  ASSIGN(const Run first, read_run(a));
  ASSIGN(const Run second, read_run(b));
  const Pair pair{first, second, std::min(first.steps.size(), second.steps.size())};
  diag::Outcome outcome{.command = "baseline check"};
  std::vector<std::string_view> unknown;
  for (const Check* const one : kChecks) {
    if (one->run(pair, outcome.findings) == Verdict::kUnknown) unknown.push_back(one->code);
  }
  diag::sort(outcome.findings);
  summarise(pair, unknown, outcome);
  return outcome;
}

}  // namespace godwit::baseline
