// godwit facts diff: what do two releases of CANN or torch_npu have apart?
#include <algorithm>

#include "base/text.h"
#include "cli/command.h"
#include "diag/messages.h"
#include "facts/diff.h"
#include "facts/versions.h"

namespace godwit::cli::commands {
namespace {

using diag::text;

constexpr std::size_t kMostRows = 60;  // per kind, for people; JSON has all

diag::Section section_of(std::string_view kind, const std::vector<facts::Difference>& all) {
  diag::Section section{.title = text(format("facts.kind_{}", kind)),
                        .columns = {"", text("facts.name"), "CANN"}};
  std::size_t total = 0;
  for (const facts::Difference& d : all) {
    if (d.kind != kind || ++total > kMostRows) continue;
    section.rows.push_back({text(d.added ? "facts.added" : "facts.removed"), d.name, d.since});
  }
  if (total > kMostRows) {
    section.title = text("facts.limited", {{"name", section.title},
                                           {"count", std::to_string(kMostRows)},
                                           {"total", std::to_string(total)}});
  }
  return section;
}

Result<diag::Outcome> compare(const Arguments& arguments) {
  const std::string first = arguments.text("FIRST"), second = arguments.text("SECOND");
  ASSIGN(const facts::Target target, facts::resolve_target(arguments.text("--soc")));
  ASSIGN(const auto all, facts::diff_releases(first, second, target.soc));
  ASSIGN(const std::vector<std::string> cann, facts::releases("cann"));
  const bool is_cann = std::find(cann.begin(), cann.end(), first) != cann.end();
  std::size_t added = 0;
  Json rows = Json::array();
  diag::Outcome outcome{.command = "facts diff"};
  std::string last;
  for (const facts::Difference& d : all) {
    added += d.added ? 1 : 0;
    Json row = Json::object();
    row.set("kind", d.kind);
    row.set("name", d.name);
    row.set("added", d.added);
    if (!d.since.empty()) row.set("since", d.since);
    rows.add(std::move(row));
    if (d.kind != last) outcome.sections.push_back(section_of(d.kind, all));
    last = d.kind;
  }
  outcome.summary.set("first", first);
  outcome.summary.set("second", second);
  outcome.summary.set("added", added);
  outcome.summary.set("removed", all.size() - added);
  outcome.summary.set("differences", std::move(rows));
  outcome.sections.insert(
      outcome.sections.begin(),
      diag::Section{.title = text("facts.diff", {{"first", first},
                                                 {"second", second},
                                                 {"added", std::to_string(added)},
                                                 {"removed", std::to_string(all.size() - added)}}),
                    .lines = {is_cann ? target.understood() : text("facts.diff_torch_npu")}});
  return outcome;
}

ExitCode run(const Arguments& arguments, const Console& console) {
  Result<diag::Outcome> outcome = compare(arguments);
  if (!outcome) return console.report(outcome.error());
  return console.deliver(*std::move(outcome), arguments);
}

}  // namespace

extern const Command facts_diff = {
    .name = "facts diff",
    .options = {{.name = "FIRST", .required = true},
                {.name = "SECOND", .required = true},
                {.name = "--soc", .value = "SOC", .fallback = "ascend310p"}},
    .phase = Phase::kAnalyse,
    .shared = Shared::kOutput,
    .examples = {"godwit facts diff 8.1.RC1 9.1.0 --soc ascend310p",
                 "godwit facts diff 2.6.0.post5 2.9.0.post6"},
    .run = run,
};

}  // namespace godwit::cli::commands
