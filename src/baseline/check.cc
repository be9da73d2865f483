// Runs the checks over two runs, rank by rank, and lays their first steps side by side.
#include "baseline/check.h"

#include <algorithm>
#include <set>

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

using Runs = std::vector<Run>;
using Codes = std::set<std::string_view>;

const Run* find_rank(const Runs& runs, std::int64_t number) {
  const auto at =
      std::find_if(runs.begin(), runs.end(), [&](const Run& run) { return rank(run) == number; });
  return at == runs.end() ? nullptr : &*at;
}

// Two folders of single ranks are compared whatever their numbers are.
std::vector<Pair> pairs_of(const Runs& a, const Runs& b) {
  const auto pair = [](const Run& first, const Run& second) {
    return Pair{first, second, std::min(first.steps.size(), second.steps.size())};
  };
  std::vector<Pair> pairs;
  for (const Run& run : a)
    if (const Run* const other = find_rank(b, rank(run))) pairs.push_back(pair(run, *other));
  if (pairs.empty()) pairs.push_back(pair(a.front(), b.front()));
  return pairs;
}

// The same but for the names of the runs.
bool say_the_same(const diag::Finding& one, const diag::Finding& other) {
  const auto facts = [](const diag::Finding& finding) {
    Args args = finding.args;
    std::erase_if(args, [](const auto& arg) { return arg.first == "a" || arg.first == "b"; });
    return args;
  };
  return one.code == other.code && one.variant == other.variant && facts(one) == facts(other);
}

void add_rank(diag::Finding& finding, std::int64_t number) {
  if (finding.properties.is_null()) finding.properties = Json::object();
  Json ranks = finding.properties["ranks"];
  if (ranks.is_null()) ranks = Json::array();
  ranks.add(number);
  finding.properties.set("ranks", std::move(ranks));
}

Codes check_pairs(const std::vector<Pair>& pairs, Findings& findings) {
  Codes unknown;
  for (const Pair& pair : pairs) {
    Findings found;
    for (const Check* const one : kChecks)
      if (one->run(pair, found) == Verdict::kUnknown) unknown.insert(one->code);
    for (diag::Finding& finding : found) {
      const auto known = std::find_if(findings.begin(), findings.end(), [&](const auto& other) {
        return say_the_same(other, finding);
      });
      diag::Finding& said =
          known == findings.end() ? findings.emplace_back(std::move(finding)) : *known;
      if (pairs.size() > 1) add_rank(said, rank(pair.b));
    }
  }
  return unknown;
}

// Ranks that only one of the runs has recorded.
diag::Section ranks_section(const std::vector<Pair>& pairs, const Runs& a, const Runs& b) {
  diag::Section section{.title = diag::text("baseline_text.ranks")};
  section.lines.push_back(
      diag::text("baseline_text.ranks_compared", {{"count", std::to_string(pairs.size())}}));
  const auto lonely = [&](const Runs& runs, const Runs& others) {
    for (const Run& run : runs) {
      if (find_rank(others, rank(run))) continue;
      section.lines.push_back(
          diag::text("baseline_text.rank_alone",
                     {{"rank", std::to_string(rank(run))}, {"run", runs.front().name}}));
    }
  };
  lonely(a, b);
  lonely(b, a);
  return section;
}

void summarise(const Pair& pair, const Codes& unknown, diag::Outcome& outcome) {
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
  ASSIGN(const Runs first, read_ranks(a));
  ASSIGN(const Runs second, read_ranks(b));
  const std::vector<Pair> pairs = pairs_of(first, second);
  diag::Outcome outcome{.command = "baseline check"};
  const Codes unknown = check_pairs(pairs, outcome.findings);
  diag::sort(outcome.findings);
  summarise(pairs.front(), unknown, outcome);
  outcome.summary.set("ranks_compared", pairs.size());
  if (first.size() > 1 || second.size() > 1)
    outcome.sections.push_back(ranks_section(pairs, first, second));
  return outcome;
}

}  // namespace godwit::baseline
