// The numbers of a report, from the manifest and the outcomes of the stages.
#include "report/page.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "base/resources.h"
#include "base/table.h"
#include "base/text.h"
#include "diag/counts.h"
#include "diag/messages.h"
#include "report/answers.h"

namespace godwit::report {
namespace {

constexpr std::size_t kSpots = 12;
constexpr std::size_t kHotFiles = 15;

std::size_t count_of(const Json& value) {
  return static_cast<std::size_t>(std::max<std::int64_t>(value.integer(), 0));
}

std::string place_of(const Place& place) {
  std::string out = place.file;
  if (place.line) out += format(":{}", place.line);
  if (place.column) out += format(":{}", place.column);
  if (place.byte >= 0 && !place.line) out += format("@{}", place.byte);
  return out;
}

void add_slice(std::vector<Slice>& slices, std::string_view key, std::string_view look,
               std::size_t count) {
  if (count) slices.push_back({diag::text(key), look, count});
}

// Verdicts of facts in five classes that a person acts on differently.
std::vector<Slice> coverage_of(const Json& verdicts) {
  const auto sum = [&](auto... names) { return (count_of(verdicts[names]) + ...); };
  std::vector<Slice> slices;
  add_slice(slices, "report.cover_good", "good", sum("supported", "framework"));
  add_slice(slices, "report.cover_fair", "fair", sum("undocumented", "aclop_or_undocumented"));
  add_slice(slices, "report.cover_slow", "slow",
            sum("aicpu", "cpu_fallback", "aclop_only", "partial"));
  add_slice(slices, "report.cover_bad", "bad", sum("blocked", "blocked_backward"));
  add_slice(slices, "report.cover_unknown", "unknown", sum("unknown"));
  return slices;
}

Model model_of(const Json& model) {
  Model out{.path = std::string(model["path"].string())};
  const Json& nodes = model["tiers"];
  add_slice(out.tiers, "report.tier_direct", "good", count_of(nodes["direct"]));
  add_slice(out.tiers, "report.tier_kernel", "slow", count_of(nodes["custom_kernel"]));
  add_slice(out.tiers, "report.tier_decompose", "fair", count_of(nodes["decompose"]));
  add_slice(out.tiers, "report.tier_unsupported", "bad", count_of(nodes["unsupported"]));
  add_slice(out.tiers, "report.tier_unknown", "unknown", count_of(nodes["unknown"]));
  out.command = model["atc"].string();
  return out;
}

Range range_of(const Json& days) {
  return {days["low"].number(), std::max(days["low"].number(), days["high"].number())};
}

Range operator+(Range a, Range b) { return {a.low + b.low, a.high + b.high}; }

// Titles and bases of effort.tsv in the language of the page; the outcome has those of its own run.
class EffortTexts {
 public:
  EffortTexts() {
    auto text = resource("effort.tsv");
    if (!text) return;
    if (auto table = Table::parse("effort.tsv", *std::move(text)))
      table_.emplace(*std::move(table));
  }
  std::string find(const Json& item, std::string_view column) const {
    const bool chinese = diag::language() == diag::Language::kChinese;
    const std::string name = std::string(column) + (chinese ? "_zh" : "");
    if (table_ && table_->has_column(name) && table_->has_column("item")) {
      const auto rows = table_->find(table_->column("item"), item["item"].string());
      if (!rows.empty()) return std::string(table_->at(rows.front(), table_->column(name)));
    }
    return std::string(item[column].string());
  }

 private:
  std::optional<Table> table_;
};

void add_effort(Page& page, const Json& effort) {
  const EffortTexts texts;
  for (const Json& item : effort["items"].items()) {
    page.effort.push_back({.title = texts.find(item, "title"),
                           .basis = texts.find(item, "basis"),
                           .count = count_of(item["count"]),
                           .calibrated = item["status"].string() == "calibrated",
                           .first_run = range_of(item["first_run"]),
                           .production = range_of(item["production"]),
                           .peak = range_of(item["peak"])});
  }
  page.first_run = range_of(effort["first_run"]);
  page.production = page.first_run + range_of(effort["production"]);
  page.peak = page.production + range_of(effort["peak"]);
}

// One line for each model: what the gates say, and where it leaves the tolerance first.
void add_verify(Page& page, const Json& summary) {
  for (const Json& verified : summary["models"].items()) {
    const auto model = std::find_if(page.models.begin(), page.models.end(), [&](const Model& each) {
      return each.path == verified["path"].string();
    });
    if (model == page.models.end()) continue;
    const auto word = [&](std::string_view gate) {
      return diag::text(verified["passed"][gate].boolean() ? "verify.pass" : "verify.fail");
    };
    const std::string_view first = verified["first_beyond"]["budget"].string();
    model->verified = diag::text(first.empty() ? "report.verified" : "report.verified_first",
                                 {{"requested", word("requested")},
                                  {"budget", word("budget")},
                                  {"first", std::string(first)}});
  }
}

void add_scan(Page& page, const Json& summary) {
  page.coverage = coverage_of(summary["project"]["verdicts"]);
  page.apis = count_of(summary["project"]["coverage"]["apis"]);
  page.supported = count_of(summary["project"]["coverage"]["supported"]);
  for (const Json& model : summary["models"].items()) page.models.push_back(model_of(model));
  add_effort(page, summary["effort"]);
}

void add_port(Page& page, const Json& summary) {
  page.is_ported = true;
  page.edits = count_of(summary["edits"]) + count_of(summary["imports"]);
  page.edited_files = count_of(summary["changed_files"]);
  page.left = count_of(summary["left"]);
  page.used_release = summary["torch_npu"].string();
}

void add_trial(Page& page, const diag::Outcome& outcome) {
  for (const Json& command : outcome.summary["commands"].items())
    page.trials.emplace_back(command.string());
  if (!outcome.findings.empty()) page.trial = outcome.findings.front().message();
}

// The commands with their remarks as comments, each said once in a row.
void add_install(Page& page, const Json& summary) {
  const auto& notes = summary["install_notes"].items();
  std::string_view last;
  std::size_t at = 0;
  for (const Json& line : summary["install"].items()) {
    const std::string_view note = at < notes.size() ? notes[at++].string() : std::string_view();
    if (note != last && diag::has_text(note)) page.install.push_back("# " + diag::text(note));
    last = note;
    page.install.emplace_back(line.string());
  }
}

// `plan.solution` of doctor: releases by component, in the order of installation, then figures.
void add_doctor(Page& page, const Json& summary) {
  add_install(page, summary);
  page.solved_release = summary["plan"]["solution"]["torch_npu"].string();
  for (const auto& [component, wanted] : summary["plan"]["solution"].members()) {
    if (!wanted.is_string() || component == "status") continue;
    const Json& found = summary["environment"][component]["value"];
    page.versions.push_back({component, std::string(found.string()), std::string(wanted.string())});
  }
}

std::string explain_of(const std::string& code) {
  const std::string key = code + ".explain";
  return diag::has_text(key) ? diag::text(key) : std::string();
}

std::string title_of(const diag::Finding& finding) {
  const bool is_ported = finding.properties["state"].string() == "ported";
  return is_ported ? diag::text("report.ported", {{"title", finding.title()}}) : finding.title();
}

void add_groups(Page& page, const std::string& stage, const diag::Outcome& outcome) {
  std::map<std::string, std::size_t> index;
  for (const diag::Finding& finding : outcome.findings) {
    const auto [at, is_new] = index.emplace(diag::kind_of(finding), page.groups.size());
    if (is_new) {
      page.groups.push_back({.severity = finding.severity,
                             .code = finding.code,
                             .stage = stage,
                             .title = title_of(finding),
                             .message = finding.message(),
                             .remedy = finding.remedy(),
                             .explain = explain_of(finding.code)});
    }
    Group& group = page.groups[at->second];
    group.count += finding.count;
    if (group.spots.size() < kSpots && !finding.place.file.empty()) {
      group.spots.push_back({place_of(finding.place), std::string(trim(finding.snippet))});
    }
  }
}

void sort_groups(Page& page) {
  std::stable_sort(page.groups.begin(), page.groups.end(), [](const Group& a, const Group& b) {
    return std::make_tuple(-static_cast<int>(a.severity), -static_cast<std::int64_t>(a.count)) <
           std::make_tuple(-static_cast<int>(b.severity), -static_cast<std::int64_t>(b.count));
  });
}

// Places outside the subject (a program that doctor asked, a system file) are no files to work on.
void add_files(Page& page, const Json& manifest,
               const std::map<std::string, diag::Outcome>& outcomes) {
  std::map<std::string, FileRow> rows;
  std::set<std::string_view> inputs;
  for (const Json& input : manifest["subject"]["inputs"].items()) {
    inputs.insert(input["path"].string());
  }
  for (const auto& [stage, outcome] : outcomes) {
    for (const diag::Finding& finding : outcome.findings) {
      const auto severity = static_cast<std::size_t>(finding.severity);
      if (!inputs.contains(finding.place.file)) continue;
      FileRow& row = rows[finding.place.file];
      row.path = finding.place.file;
      row.findings[severity] += finding.count;
    }
  }
  for (auto& [path, row] : rows) page.hot_files.push_back(std::move(row));
  const auto weight = [](const FileRow& row) {
    return std::make_tuple(row.findings[2], row.findings[1], row.findings[0]);
  };
  std::stable_sort(page.hot_files.begin(), page.hot_files.end(),
                   [&](const FileRow& a, const FileRow& b) { return weight(a) > weight(b); });
  if (page.hot_files.size() > kHotFiles) page.hot_files.resize(kHotFiles);
}

void add_stages(Page& page, const Json& manifest) {
  for (const Json& stage : manifest["stages"].items()) {
    StageRow row{.name = std::string(stage["stage"].string()),
                 .command = std::string(stage["command"].string()),
                 .seconds = stage["seconds"].number(),
                 .applies = stage["applies"].boolean(true)};
    for (std::size_t i = 0; i < row.findings.size(); ++i) {
      row.findings[i] =
          count_of(stage["findings"][diag::to_string(static_cast<diag::Severity>(i))]);
    }
    const std::string key = "report.stage_" + row.name;
    if (diag::has_text(key)) row.name = diag::text(key);
    page.stages.push_back(std::move(row));
  }
}

std::string kinds_of(const Json& kinds) {
  std::vector<std::string> names;
  for (const Json& kind : kinds.items()) {
    names.push_back(diag::text(format("report.kind_{}", kind.string())));
  }
  return join(names, " · ");
}

void add_head(Page& page, const Json& manifest) {
  page.name = manifest["subject"]["name"].string();
  page.kinds = kinds_of(manifest["subject"]["kinds"]);
  page.files = manifest["subject"]["inputs"].items().size();
  page.target = manifest["options"]["chip"].string(manifest["options"]["to"].string());
  page.version = manifest["version"].string();
  page.data = manifest["data"].string();
  page.command = manifest["command"].string();
  page.apply = manifest["options"]["apply"].string("git apply source.diff");
}

}  // namespace

bool is_nearest_release(const Page& page) {
  return !page.used_release.empty() && !page.solved_release.empty() &&
         page.used_release != page.solved_release;
}

Page make_page(const Source& source) {
  Page page;
  add_head(page, source.manifest);
  add_stages(page, source.manifest);
  const auto outcomes = with_answers(source.outcomes);
  for (const auto& [stage, outcome] : outcomes) {
    add_groups(page, stage, outcome);
    const diag::Counts counts = diag::count(outcome.findings);
    for (std::size_t i = 0; i < page.findings.size(); ++i) {
      page.findings[i] += counts.kinds[i];
      page.places[i] += counts.places[i];
    }
    if (stage == "scan") add_scan(page, outcome.summary);
    if (stage == "verify") add_verify(page, outcome.summary);
    if (stage == "try") add_trial(page, outcome);
    if (stage == "port") add_port(page, outcome.summary);
    if (stage == "doctor") add_doctor(page, outcome.summary);
  }
  if (!source.manifest["options"]["torch-npu"].string().empty()) page.solved_release.clear();
  sort_groups(page);
  add_files(page, source.manifest, outcomes);
  page.checklist = judge_checklist(source);
  return page;
}

}  // namespace godwit::report
