// Text for people: each kind of finding once with its places, blocking ones first, then figures.
#include "base/text.h"
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
  std::string out = finding.place.file;
  if (finding.place.line) out += format(":{}", finding.place.line);
  if (finding.place.column) out += format(":{}", finding.place.column);
  return out;
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
    const std::string key = format("{}\n{}\n{}", static_cast<int>(finding.severity), finding.code,
                                   finding.message());
    const auto [at, is_new] = index.emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(&finding);
  }
  return groups;
}

void add_places(const Group& places, const Style& style, std::string& out) {
  const std::size_t shown = style.every_place ? places.size() : std::min(places.size(), kPlacesShown);
  for (std::size_t i = 1; i < shown; ++i) {
    out += format("   |  {}  {}\n", place_of(*places[i]), shorten(trim(places[i]->snippet), 60));
  }
  if (shown < places.size()) {
    out += "   |  " + text("render.more_places", {{"count", std::to_string(places.size() - shown)}}) + "\n";
  }
}

void add_group(const Group& places, const Style& style, std::string& out) {
  const Finding& first = *places.front();
  out += format("{} {}  {}\n", paint(first.code, color_of(first.severity), style),
                place_of(first), paint(first.title(), "1", style));
  if (!first.snippet.empty()) out += format("   |  {}\n", shorten(trim(first.snippet), style.width - 6));
  add_places(places, style, out);
  add_wrapped("   = ", first.message(), style, out);
  const std::string remedy = first.remedy();
  if (!remedy.empty()) add_wrapped("   = ", text("render.remedy", {{"text", remedy}, {"code", first.code}}), style, out);
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
