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

// The widest part that a line break would cut: a name, a path. Wide characters are broken anywhere.
std::size_t widest_word(std::string_view cell) {
  std::size_t widest = 0;
  for (const std::string_view word : split(cell, ' ')) {
    const bool is_ascii = std::all_of(word.begin(), word.end(),
                                      [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    widest = std::max(widest, is_ascii ? word.size() : std::min<std::size_t>(12, word.size()));
  }
  return widest;
}

// Takes from the widest column that can be broken between words until the table fits, or nothing
// is left to take. One column alone is to be copied as it is.
void fit(const Section& section, std::size_t width, std::vector<std::size_t>& widths) {
  if (widths.size() < 2) return;
  std::vector<std::size_t> least(widths.size(), 0);
  const auto measure = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < std::min(row.size(), least.size()); ++i)
      least[i] = std::max(least[i], widest_word(row[i]));
  };
  measure(section.columns);
  for (const auto& row : section.rows) measure(row);
  std::size_t total = 2 * widths.size();
  for (const std::size_t each : widths) total += each;
  while (total > width) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] > least[i] && (widest == widths.size() || widths[i] > widths[widest]))
        widest = i;
    }
    if (widest == widths.size()) return;
    --widths[widest];
    --total;
  }
}

void add_table(const Section& section, const Style& style, std::string& out) {
  std::vector<std::size_t> widths(section.columns.size(), 0);
  const auto measure = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  };
  measure(section.columns);
  for (const auto& row : section.rows) measure(row);
  fit(section, style.width, widths);
  const auto line = [&](const std::vector<std::string>& row) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i) {
      const bool fits = display_width(row[i]) <= widths[i];
      cells.push_back(fits ? std::vector{row[i]} : wrap(row[i], widths[i]));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t at = 0; at < height; ++at) {
      std::string text_line = " ";
      for (std::size_t i = 0; i < cells.size(); ++i)
        text_line += " " + pad(at < cells[i].size() ? cells[i][at] : "", widths[i]) + " ";
      while (text_line.ends_with(' ')) text_line.pop_back();
      out += text_line + "\n";
    }
  };
  line(section.columns);
  for (const auto& row : section.rows) line(row);
}

// The list may have scrolled away: how much there was of it.
std::string tally(const std::vector<Finding>& findings, const Style& style) {
  const Counts counts = count(findings);
  const auto number = [](std::size_t found) { return with_thousands(found); };
  return paint(text("render.tally",
                    {{"errors", number(counts.kinds[2])},
                     {"warnings", number(counts.kinds[1])},
                     {"notes", number(counts.kinds[0])},
                     {"places", number(counts.places[0] + counts.places[1] + counts.places[2])}}),
               "1", style);
}

std::string render(const Outcome& outcome, const Style& style) {
  std::string out;
  for (const Group& places : group(outcome.findings)) add_group(places, style, out);
  for (const Section& section : outcome.sections) {
    if (!section.title.empty()) out += paint(section.title, "1", style) + "\n";
    if (!section.columns.empty()) add_table(section, style, out);
    for (const std::string& line : section.lines) add_wrapped("  ", line, style, out);
    out += "\n";
  }
  const std::size_t most = 3;  // a short list is counted by looking at it
  if (group(outcome.findings).size() > most) out += tally(outcome.findings, style) + "\n";
  return out;
}

}  // namespace

extern const Renderer text = {.name = "text", .render = render};

}  // namespace godwit::diag::renderers
