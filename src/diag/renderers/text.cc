// Text for people: each kind of finding once with its places, blocking ones first, then figures.
#include "base/text.h"
#include "base/markup.h"
#include "diag/counts.h"
#include "diag/messages.h"
#include "diag/renderer.h"

#include <algorithm>
#include <array>
#include <map>

namespace godwit::diag::renderers {
namespace {

constexpr std::size_t kPlacesShown = 5;

std::string paint(std::string_view content, std::string_view ansi, const Style& style) {
  return style.color ? format("\x1b[{}m{}\x1b[0m", ansi, content) : std::string(content);
}

std::string_view color_of(Severity severity) {
  constexpr std::array<std::string_view, 3> kAnsi = {"36", "33", "31;1"};
  return kAnsi[static_cast<std::size_t>(severity)];
}

std::string place_of(const Finding& finding) {
  std::string out = replace_all(printable(finding.place.file), "\n", "\\n");
  if (finding.place.line) out += format(":{}", finding.place.line);
  if (finding.place.column) out += format(":{}", finding.place.column);
  if (finding.place.byte >= 0 && !finding.place.line) out += format("@{}", finding.place.byte);
  return out;
}

// One line of the source as it stands, safe for a terminal.
std::string snippet_of(const Finding& finding, std::size_t width) {
  const std::string_view whole = trim(finding.snippet);
  return shorten(printable(whole.substr(0, whole.find('\n'))), width);
}

void add_wrapped(std::string_view lead, const std::string& content, const Style& style,
                 std::string& out) {
  const std::size_t indent = display_width(lead);
  const std::size_t room = style.width > indent + 20 ? style.width - indent : 20;
  bool first = true;
  for (const std::string& line : wrap(content, room)) {
    out += first ? std::string(lead) : std::string(indent, ' ');
    out += line + "\n";
    first = false;
  }
}

// Findings of one code that say the same are one paragraph.
using Group = std::vector<const Finding*>;

std::vector<Group> group(const std::vector<Finding>& findings) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> index;
  for (const Finding& finding : findings) {
    const auto [at, is_new] = index.emplace(kind_of(finding), groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(&finding);
  }
  return groups;
}

std::size_t count_of(const Group& places) {
  std::size_t count = 0;
  for (const Finding* const finding : places) count += finding->count;
  return count;
}

// Places in a column, so that the eye runs down the source lines.
void add_places(const Group& places, const Style& style, std::string& out) {
  const std::size_t shown =
      style.every_place ? places.size() : std::min(places.size(), kPlacesShown);
  std::size_t widest = 0;
  for (std::size_t i = 1; i < shown; ++i) {
    widest = std::max(widest, display_width(place_of(*places[i])));
  }
  widest = std::min(widest, style.width / 2);
  for (std::size_t i = 1; i < shown; ++i) {
    const std::string place = pad(place_of(*places[i]), widest);
    const std::size_t used = display_width(place) + 8;
    const std::size_t room = style.width > used + 20 ? style.width - used : 20;
    out += format("   |  {}", place);
    const std::string snippet = snippet_of(*places[i], room);
    out += snippet.empty() ? "\n" : format("  {}\n", snippet);
  }
  if (shown < places.size()) {
    out += "   |  " +
           text("render.more_places", {{"count", std::to_string(places.size() - shown)}}) + "\n";
  }
}

void add_group(const Group& places, const Style& style, std::string& out) {
  const Finding& first = *places.front();
  const std::string head = format("{}[{}]", to_string(first.severity), first.code);
  out += paint(head, color_of(first.severity), style) + ": " +
         paint(printable(first.title()), "1", style);
  if (const std::size_t count = count_of(places); count > 1)
    out += format("  ×{}", with_thousands(count));
  out += "\n";
  if (const std::string place = place_of(first); !place.empty()) out += format("  --> {}\n", place);
  if (!first.snippet.empty()) out += format("   |  {}\n", snippet_of(first, style.width - 6));
  add_places(places, style, out);
  if (const std::string said = first.message(); !said.empty())
    add_wrapped("   = ", printable(said), style, out);
  if (const std::string remedy = first.remedy(); !remedy.empty()) {
    add_wrapped("   = ", text("render.remedy", {{"text", printable(remedy)}, {"code", first.code}}),
                style, out);
  }
  out += "\n";
}

void add_table(const Section& section, std::string& out) {
  std::vector<std::size_t> widths(section.columns.size(), 0);
  const auto measure = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  };
  measure(section.columns);
  for (const auto& row : section.rows) measure(row);
  const auto line = [&](const std::vector<std::string>& row) {
    std::string text_line = " ";
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i) {
      text_line += " " + pad(row[i], widths[i]) + " ";
    }
    while (text_line.ends_with(' ')) text_line.pop_back();
    out += text_line + "\n";
  };
  line(section.columns);
  for (const auto& row : section.rows) line(row);
}

std::string render(const Outcome& outcome, const Style& style) {
  std::string out;
  for (const Group& places : group(outcome.findings)) add_group(places, style, out);
  for (const Section& section : outcome.sections) {
    if (!section.title.empty()) out += paint(section.title, "1", style) + "\n";
    if (!section.columns.empty()) add_table(section, out);
    for (const std::string& line : section.lines) add_wrapped("  ", line, style, out);
    out += "\n";
  }
  return out;
}

}  // namespace

extern const Renderer text = {.name = "text", .render = render};

}  // namespace godwit::diag::renderers
