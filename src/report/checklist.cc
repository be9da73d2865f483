// How the state of an item follows from data/checklist.tsv and the outcomes.
#include "report/checklist.h"

#include <algorithm>
#include <optional>

#include "base/resources.h"
#include "base/table.h"
#include "base/text.h"
#include "diag/messages.h"
#include "report/page.h"

namespace godwit::report {
namespace {

struct Row {
  const Table& table;
  std::size_t row;
  std::string_view operator[](std::string_view column) const {
    return table.at(row, table.column(column));
  }
};

bool starts_with_any(std::string_view code, std::string_view prefixes) {
  const auto list = split_list(prefixes);
  return std::any_of(list.begin(), list.end(),
                     [&](auto prefix) { return code.starts_with(prefix); });
}

// S030 to S035: data parallelism, collectives and their limits.
bool is_distributed(const Source& source) {
  const auto scan = source.outcomes.find("scan");
  if (scan == source.outcomes.end()) return false;
  return std::any_of(scan->second.findings.begin(), scan->second.findings.end(),
                     [](const diag::Finding& f) { return f.code.starts_with("S03"); });
}

bool is_so(const Source& source, std::string_view condition) {
  if (condition == "distributed") return is_distributed(source);
  if (condition == "training") {
    const auto scan = source.outcomes.find("scan");
    return scan != source.outcomes.end() &&
           scan->second.summary["project"]["mode"].string() == "training";
  }
  const Json& kinds = source.manifest["subject"]["kinds"];
  return std::any_of(kinds.items().begin(), kinds.items().end(),
                     [&](const Json& kind) { return kind.string() == condition; });
}

bool applies(const Source& source, std::string_view when) {
  const auto conditions = split_list(when);
  return conditions.empty() || std::any_of(conditions.begin(), conditions.end(),
                                           [&](auto each) { return is_so(source, each); });
}

struct Judgement {
  CheckState state;
  std::string why;
};

Judgement by_findings(const diag::Outcome& outcome, std::string_view codes, bool errors_only) {
  std::size_t count = 0;
  for (const diag::Finding& finding : outcome.findings) {
    const bool counts = !errors_only || finding.severity == diag::Severity::kError;
    if (counts && starts_with_any(finding.code, codes)) ++count;
  }
  if (count == 0) return {CheckState::kDone, diag::text("report.why_clear")};
  const std::string_view key = errors_only ? "report.why_errors" : "report.why_findings";
  return {CheckState::kOpen, diag::text(key, {{"count", std::to_string(count)}})};
}

Judgement open(std::string_view key, std::int64_t count) {
  return {CheckState::kOpen, diag::text(key, {{"count", std::to_string(count)}})};
}

Judgement unknown(std::string_view key, const Args& args) {
  return {CheckState::kUnknown, diag::text(key, args)};
}

// What doctor could not find out, it cannot have found a fault in.
std::optional<Judgement> by_environment(const Json& summary) {
  std::vector<std::string> missing;
  for (const char* const component : {"driver", "cann", "torch", "torch_npu", "python"}) {
    if (summary["environment"][component]["state"].string() != "found")
      missing.emplace_back(component);
  }
  if (!missing.empty()) return unknown("report.why_not_found", {{"names", join(missing, ", ")}});
  const auto unjudged = summary["checks"]["unknown"].items();
  if (unjudged.empty()) return std::nullopt;
  return unknown("report.why_unjudged", {{"count", std::to_string(unjudged.size())}});
}

std::optional<Judgement> by_apis(const Json& summary) {
  const Json& verdicts = summary["project"]["verdicts"];
  const auto blocked = verdicts["blocked"].integer() + verdicts["blocked_backward"].integer();
  if (blocked > 0) return open("report.why_blocked_apis", blocked);
  const auto count = verdicts["unknown"].integer();
  if (count == 0) return std::nullopt;
  return unknown("report.why_unknown", {{"count", std::to_string(count)}});
}

// ATC takes what maps directly; all else has to be rewritten, or the tables do not say.
std::optional<Judgement> by_nodes(const Json& summary) {
  std::int64_t left = 0, not_known = 0;
  for (const Json& model : summary["models"].items()) {
    for (const auto& [tier, count] : model["tiers"].members()) {
      if (tier == "unknown") not_known += count.integer();
      if (tier != "unknown" && tier != "direct") left += count.integer();
    }
  }
  if (left > 0) return open("report.why_nodes", left);
  if (not_known == 0) return std::nullopt;
  return unknown("report.why_unknown", {{"count", std::to_string(not_known)}});
}

std::optional<Judgement> by_rest(const Json& summary) {
  const auto left = summary["left"].integer();
  if (left == 0) return std::nullopt;
  return open("report.why_left", left);
}

// What the figures of a stage say against an item beyond its findings.
std::optional<Judgement> by_figures(std::string_view figures, const Json& summary) {
  if (figures == "environment") return by_environment(summary);
  if (figures == "apis") return by_apis(summary);
  if (figures == "nodes") return by_nodes(summary);
  if (figures == "left") return by_rest(summary);
  return std::nullopt;
}

Judgement judge(const Source& source, const Row& row) {
  if (!applies(source, row["when"])) return {CheckState::kNotApplicable, {}};
  const std::string_view how = row["judge"];
  if (how == "card") return {CheckState::kNeedsCard, diag::text("report.why_card")};
  if (how == "hand") return {CheckState::kOpen, diag::text("report.why_hand")};
  const auto outcome = source.outcomes.find(std::string(row["stage"]));
  if (outcome == source.outcomes.end()) {
    return {CheckState::kOpen,
            diag::text("report.why_not_run", {{"stage", std::string(row["stage"])}})};
  }
  if (how == "done") {
    return {CheckState::kDone,
            diag::text("report.why_ran", {{"stage", std::string(row["stage"])}})};
  }
  Judgement found = by_findings(outcome->second, row["codes"], how == "clear");
  if (found.state != CheckState::kDone) return found;
  return by_figures(row["figures"], outcome->second.summary).value_or(std::move(found));
}

}  // namespace

std::string_view to_string(CheckState state) {
  switch (state) {
    case CheckState::kDone: return "done";
    case CheckState::kOpen: return "open";
    case CheckState::kUnknown: return "unknown";
    case CheckState::kNeedsCard: return "card";
    case CheckState::kNotApplicable: break;
  }
  return "none";
}

std::vector<Check> judge_checklist(const Source& source) {
  std::vector<Check> checks;
  auto text = resource("checklist.tsv");
  if (!text) return checks;
  const auto table = Table::parse("checklist.tsv", *std::move(text));
  if (!table) return checks;
  const bool chinese = diag::language() == diag::Language::kChinese;
  for (std::size_t i = 0; i < table->rows(); ++i) {
    const Row row{*table, i};
    Judgement judgement = judge(source, row);
    checks.push_back({.item = std::string(row["item"]),
                      .phase = std::string(row["phase"]),
                      .title = std::string(row[chinese ? "title_zh" : "title"]),
                      .command = std::string(row["command"]),
                      .state = judgement.state,
                      .why = std::move(judgement.why)});
  }
  return checks;
}

Json count_states(const std::vector<Check>& checks) {
  Json counts = Json::object();
  for (const Check& check : checks) {
    const std::string_view state = to_string(check.state);
    counts.set(state, counts[state].integer() + 1);
  }
  return counts;
}

diag::Section to_section(const std::vector<Check>& checks) {
  diag::Section section{.title = diag::text("report.checklist")};
  section.columns = {diag::text("report.check_item"), diag::text("report.check_state"),
                     diag::text("report.check_why")};
  for (const Check& check : checks) {
    if (check.state == CheckState::kNotApplicable) continue;
    section.rows.push_back(
        {check.title, diag::text(format("report.state_{}", to_string(check.state))), check.why});
  }
  return section;
}

std::string to_markdown(const std::vector<Check>& checks) {
  std::string out = "# " + diag::text("report.checklist") + "\n";
  std::string_view phase;
  for (const Check& check : checks) {
    if (check.phase != phase) {
      phase = check.phase;
      out += format("\n## {}\n\n", diag::text(format("report.phase_{}", phase)));
    }
    out += format("- [{}] {}", check.state == CheckState::kDone ? 'x' : ' ', check.title);
    out += format(" — {}", diag::text(format("report.state_{}", to_string(check.state))));
    if (!check.why.empty()) out += format("{}{}", diag::text("report.colon"), check.why);
    out += "\n";
  }
  return out;
}

}  // namespace godwit::report
