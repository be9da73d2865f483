// Adding up person-days over findings.
#include "scan/effort.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "diag/messages.h"
#include "facts/tables.h"

namespace godwit::scan {
namespace {

Result<Days> read_days(const Table& table, std::size_t row, std::string_view column) {
  const std::string_view cell = facts::cell(table, row, column);
  const auto parts = split_list(cell);
  const auto low = parse_number(parts.empty() ? cell : parts.front());
  const auto high = parse_number(parts.empty() ? cell : parts.back());
  if (low && high && *low <= *high) return Days{*low, *high};
  return fail("E058", {.file = table.name()},
              {{"item", std::string(facts::cell(table, row, "item"))},
               {"column", std::string(column)},
               {"found", std::string(cell)}});
}

// What makes two findings of a class the same piece of work.
std::string subject_of(const diag::Finding& finding) {
  for (const std::string_view key : {"api", "library", "kernel", "operator", "op", "name"}) {
    for (const auto& [name, value] : finding.args) {
      if (name == key) return format("{} {}", finding.code, value);
    }
  }
  return format("{} {}", finding.code, finding.place.file);
}

struct Counted {
  std::set<std::string> subjects;
  std::size_t places = 0;
};

std::size_t count_of(const Counted& counted, std::string_view per) {
  if (per == "distinct") return counted.subjects.size();
  if (per == "place") return counted.places;
  return counted.places > 0 ? 1 : 0;
}

// Findings by "CODE" and by "CODE.variant".
std::map<std::string, Counted, std::less<>> count(const std::vector<diag::Finding>& findings) {
  std::map<std::string, Counted, std::less<>> by_code;
  for (const diag::Finding& finding : findings) {
    if (finding.variant == "mention") continue;  // nothing to do where nothing is called
    const std::string subject = subject_of(finding);
    const auto add = [&](const std::string& key) {
      by_code[key].subjects.insert(subject);
      by_code[key].places += finding.count;
    };
    add(finding.code);
    if (!finding.variant.empty()) add(format("{}.{}", finding.code, finding.variant));
  }
  return by_code;
}

std::string days_text(const Days& days) { return format("{:.1f}–{:.1f}", days.low, days.high); }

Json days_json(const Days& days) {
  Json out = Json::object();
  out.set("low", days.low);
  out.set("high", days.high);
  return out;
}

}  // namespace

Days& Days::operator+=(const Days& other) {
  low += other.low;
  high += other.high;
  return *this;
}

Result<Effort> estimate_effort(const std::vector<diag::Finding>& findings) {
  ASSIGN(const Table* const table, facts::table("effort.tsv", {"item"}));
  const auto counted = count(findings);
  const bool chinese = diag::language() == diag::Language::kChinese;
  Effort effort;
  for (std::size_t row = 0; row < table->rows(); ++row) {
    const auto cell = [&](std::string_view column) {
      return std::string(facts::cell(*table, row, column));
    };
    const auto codes = split_list(facts::cell(*table, row, "codes"));
    Counted all;
    for (const std::string_view code : codes) {
      const auto found = counted.find(code);
      if (found == counted.end()) continue;
      all.subjects.insert(found->second.subjects.begin(), found->second.subjects.end());
      all.places += found->second.places;
    }
    EffortItem item{.item = cell("item"),
                    .title = cell(chinese ? "title_zh" : "title"),
                    .basis = cell(chinese ? "basis_zh" : "basis"),
                    .status = cell("status"),
                    .count = codes.empty() ? 1 : count_of(all, cell("per"))};
    if (item.count == 0) continue;
    const double times = static_cast<double>(item.count);
    ASSIGN(const Days first_run, read_days(*table, row, "first_run"));
    ASSIGN(const Days production, read_days(*table, row, "production"));
    ASSIGN(const Days peak, read_days(*table, row, "peak"));
    effort.first_run += item.first_run = first_run.times(times);
    effort.production += item.production = production.times(times);
    effort.peak += item.peak = peak.times(times);
    effort.items.push_back(std::move(item));
  }
  std::stable_sort(effort.items.begin(), effort.items.end(), [](const auto& a, const auto& b) {
    return a.first_run.high + a.production.high > b.first_run.high + b.production.high;
  });
  return effort;
}

Json to_json(const Effort& effort) {
  Json items = Json::array();
  for (const EffortItem& item : effort.items) {
    Json one = Json::object();
    one.set("item", item.item);
    one.set("title", item.title);
    one.set("count", item.count);
    one.set("first_run", days_json(item.first_run));
    one.set("production", days_json(item.production));
    one.set("peak", days_json(item.peak));
    one.set("basis", item.basis);
    one.set("status", item.status);
    items.add(std::move(one));
  }
  Json out = Json::object();
  out.set("unit", "person-days");
  out.set("first_run", days_json(effort.first_run));
  out.set("production", days_json(effort.production));
  out.set("peak", days_json(effort.peak));
  out.set("items", std::move(items));
  return out;
}

diag::Section to_section(const Effort& effort) {
  diag::Section section{.title = diag::text("scan.effort_title")};
  section.columns = {diag::text("scan.effort_item"),      diag::text("scan.effort_count"),
                     diag::text("scan.effort_first_run"), diag::text("scan.effort_production"),
                     diag::text("scan.effort_peak"),      diag::text("scan.effort_status")};
  for (const EffortItem& item : effort.items) {
    section.rows.push_back(
        {item.title, std::to_string(item.count), days_text(item.first_run),
         days_text(item.production), days_text(item.peak),
         format(
             "{}{}", diag::text(format("scan.effort_{}", item.status)),
             item.basis.empty() ? "" : diag::text("scan.effort_basis", {{"basis", item.basis}}))});
  }
  section.rows.push_back({diag::text("scan.effort_total"), "", days_text(effort.first_run),
                          days_text(effort.production), days_text(effort.peak), ""});
  Days all = effort.first_run;
  std::vector<std::string> reached = {diag::text("scan.effort_reached"), "", days_text(all)};
  for (const Days& phase : {effort.production, effort.peak})
    reached.push_back(days_text(all += phase));
  reached.emplace_back();
  section.rows.push_back(std::move(reached));
  return section;
}

}  // namespace godwit::scan
