// The list of findings: one entry per kind, its places inside, and the filter above it.
#include <array>

#include "base/text.h"
#include "diag/messages.h"
#include "report/parts.h"

namespace godwit::report {
namespace {

Html spots_of(const Group& group) {
  Html rows;
  for (const Spot& spot : group.spots) {
    rows +=
        tag("li", span("place", tag("bdi", say(spot.place))) +
                      (spot.snippet.empty() ? Html() : tag("code", tag("bdi", say(spot.snippet)))));
  }
  if (group.spots.size() < group.count && !group.spots.empty()) {
    const std::string more = std::to_string(group.count - group.spots.size());
    rows += tag("li", {{"class", "faint"}}, word("report.more_places", {{"count", more}}));
  }
  return rows.code.empty() ? Html() : tag("ul", {{"class", "spots"}}, rows);
}

// What the filter looks in.
std::string haystack(const Group& group) {
  std::string out = format("{} {} {} {}", group.code, group.title, group.message, group.stage);
  for (const Spot& spot : group.spots) out += " " + spot.place;
  return to_lower(out);
}

// What tells this entry from others of the same title, on one line.
std::string gist_of(const Group& group) {
  constexpr std::size_t kColumns = 160;
  return shorten(group.message.substr(0, group.message.find('\n')), kColumns);
}

Html entry(const Group& group) {
  const std::string_view severity = diag::to_string(group.severity);
  const std::string head_place = group.spots.empty() ? std::string() : group.spots.front().place;
  Html summary = tag("i",
                     {{"class", format("dot {}", severity)},
                      {"title", diag::text(format("report.severity_{}", severity))}},
                     {}) +
                 span("code-name", say(group.code)) +
                 span("finding-title", say(group.title) + span("gist", say(gist_of(group)))) +
                 span("place", tag("bdi", say(head_place))) +
                 span("times", say(group.count > 1 ? format("×{}", with_thousands(group.count))
                                                   : std::string()));
  Html body;
  if (!group.message.empty()) body += tag("p", say(group.message));
  if (!group.explain.empty() && group.explain != group.message)
    body += tag("p", {{"class", "faint"}}, say(group.explain));
  if (!group.remedy.empty()) {
    body += tag("p", {{"class", "remedy"}},
                tag("b", word("report.remedy")) + say(" ") + say(group.remedy));
  }
  return tag("details",
             {{"class", "finding"},
              {"data-severity", severity},
              {"data-stage", group.stage},
              {"data-text", haystack(group)}},
             tag("summary", summary) + box("finding-body", body + spots_of(group)));
}

Html chip(std::string_view severity, std::size_t count) {
  return tag("button",
             {{"type", "button"},
              {"class", format("chip {}", severity)},
              {"data-filter", severity},
              {"aria-pressed", "false"}},
             word(format("report.severity_{}", severity)) + say(" ") +
                 tag("b", say(with_thousands(count))));
}

}  // namespace

Html findings_part(const Page& page) {
  Html filter, list;
  for (const auto severity :
       {diag::Severity::kError, diag::Severity::kWarning, diag::Severity::kNote}) {
    filter += chip(diag::to_string(severity), page.findings[static_cast<std::size_t>(severity)]);
  }
  filter += tag("input",
                {{"type", "search"},
                 {"id", "search"},
                 {"placeholder", diag::text("report.search")},
                 {"aria-label", diag::text("report.search")}},
                {});
  for (const Group& group : page.groups) list += entry(group);
  if (page.groups.empty()) list = tag("p", word("report.no_findings"));
  const Html none = tag("p", {{"id", "no-match"}, {"class", "faint"}, {"hidden", "hidden"}},
                        word("report.no_match"));
  return tag("section", {{"id", "findings"}},
             tag("h2", word("report.findings")) +
                 (page.groups.empty() ? Html() : box("filter", filter)) + box("list", list) + none);
}

}  // namespace godwit::report
