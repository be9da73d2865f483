// Geometry of the pictures. Each has a text beside it that says the same, so nothing is lost to
// those who cannot see it.
#include "report/pictures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.h"
#include "diag/messages.h"

namespace godwit::report {
namespace {

std::size_t total_of(const std::vector<Slice>& slices) {
  return std::accumulate(slices.begin(), slices.end(), std::size_t{0},
                         [](std::size_t sum, const Slice& slice) { return sum + slice.count; });
}

double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string number(double value) { return format("{:.2f}", value); }

Html picture(double width, double height, std::string_view css_class, const Html& content) {
  return tag("svg",
             {{"viewBox", format("0 0 {} {}", number(width), number(height))},
              {"class", css_class},
              {"aria-hidden", "true"}},
             content);
}

Html block(double x, double y, double width, double height, std::string_view look,
           std::string_view title) {
  return tag("rect",
             {{"x", number(x)},
              {"y", number(y)},
              {"width", number(std::max(width, 0.0))},
              {"height", number(height)},
              {"class", look}},
             title.empty() ? Html() : tag("title", say(title)));
}

std::string percent(double part) {
  // 99.96 % must not read as all of it.
  const double value = part < 1 ? std::min(std::floor(part * 1000) / 10, 99.9) : 100.0;
  return value == std::floor(value) ? format("{:.0f}%", value) : format("{:.1f}%", value);
}

std::string title_of(const Slice& slice) { return format("{}: {}", slice.label, slice.count); }

std::string style_of(double width) { return format("width:{:.3f}%", width * 100); }

}  // namespace

Html donut(const std::vector<Slice>& slices, double middle_share) {
  constexpr double kRadius = 42, kAround = 2 * 3.14159265358979 * kRadius;
  const std::size_t total = total_of(slices);
  Html ring;
  double begin = 0;
  for (const Slice& slice : slices) {
    const double part = share(slice.count, total);
    const double length = std::max(part * kAround - (slices.size() > 1 ? 1.2 : 0.0), 0.3);
    ring += tag("circle",
                {{"cx", "60"},
                 {"cy", "60"},
                 {"r", number(kRadius)},
                 {"class", format("ring {}", slice.look)},
                 {"stroke-dasharray", format("{} {}", number(length), number(kAround - length))},
                 {"stroke-dashoffset", number(-begin * kAround)}},
                tag("title", say(title_of(slice))));
    begin += part;
  }
  const Html middle =
      tag("text", {{"x", "60"}, {"y", "60"}, {"class", "big"}}, say(percent(middle_share))) +
      tag("text", {{"x", "60"}, {"y", "75"}, {"class", "small"}},
          say(diag::text("report.cover_runs")));
  return picture(120, 120, "donut", tag("g", {{"transform", "rotate(-90 60 60)"}}, ring) + middle);
}

Html legend(const std::vector<Slice>& slices) {
  const std::size_t total = total_of(slices);
  Html rows;
  for (const Slice& slice : slices) {
    rows +=
        tag("li", tag("i", {{"class", format("dot {}", slice.look)}}, {}) +
                      span("label", say(slice.label)) + tag("b", say(with_thousands(slice.count))) +
                      span("faint", say(percent(share(slice.count, total)))));
  }
  return tag("ul", {{"class", "legend"}}, rows);
}

Html share_bar(const std::vector<Slice>& slices) {
  const std::size_t total = total_of(slices);
  Html bar;
  double x = 0;
  for (const Slice& slice : slices) {
    const double width = share(slice.count, total) * 100;
    bar += block(x, 0, std::max(width - 0.25, 0.2), 4, slice.look, title_of(slice));
    x += width;
  }
  return tag("svg",
             {{"viewBox", "0 0 100 4"},
              {"preserveAspectRatio", "none"},
              {"class", "bar"},
              {"aria-hidden", "true"}},
             bar);
}

Html timeline(const std::vector<StageRow>& stages) {
  const double total =
      std::accumulate(stages.begin(), stages.end(), 0.0,
                      [](double sum, const StageRow& row) { return sum + row.seconds; });
  Html rows;
  double begin = 0;
  for (const StageRow& row : stages) {
    const double left = total > 0 ? begin / total : 0, width = total > 0 ? row.seconds / total : 0;
    const std::string style = format("left:{:.2f}%;width:{:.2f}%", left * 100, width * 100);
    const std::string said =
        row.applies ? diag::text("report.seconds", {{"seconds", format("{:.2f}", row.seconds)}})
                    : diag::text("report.state_none");
    rows += tag("div", {{"class", row.applies ? "step" : "step off"}},
                span("step-name", say(row.name)) +
                    span("track", tag("i", {{"class", "run"}, {"style", style}}, {})) +
                    span("step-time", say(said)));
    begin += row.seconds;
  }
  return box("timeline", rows);
}

std::string days(double value) {
  if (value >= 10 || value == std::floor(value)) return format("{:.0f}", std::round(value));
  return format("{:.1f}", value);
}

std::string days(Range range) {
  return range.low == range.high ? days(range.low)
                                 : format("{}–{}", days(range.low), days(range.high));
}

Html range_chart(const Page& page) {
  const double most = std::max({page.peak.high, page.production.high, page.first_run.high, 0.1});
  const auto row = [&](std::string_view key, Range range, std::string_view look) {
    const std::string style = format("left:{:.2f}%;width:{:.2f}%", range.low / most * 100,
                                     std::max((range.high - range.low) / most * 100, 0.6));
    return tag("div", {{"class", "step"}},
               span("step-name", say(diag::text(key))) +
                   span("track", tag("i", {{"class", look}, {"style", style}}, {})) +
                   span("step-time",
                        tag("b", say(days(range))) + say(" " + diag::text("report.days_unit"))));
  };
  return box("timeline ranges", row("report.up_to_first_run", page.first_run, "run r1") +
                                    row("report.up_to_production", page.production, "run r2") +
                                    row("report.up_to_peak", page.peak, "run r3"));
}

Html heat_bars(const std::vector<FileRow>& files) {
  std::size_t most = 1;
  for (const FileRow& file : files) {
    most = std::max(most, file.findings[0] + file.findings[1] + file.findings[2]);
  }
  Html rows;
  for (const FileRow& file : files) {
    Html bar;
    for (std::size_t i = 3; i-- > 0;) {
      if (file.findings[i] == 0) continue;
      const std::string_view look = diag::to_string(static_cast<diag::Severity>(i));
      bar += tag("i",
                 {{"class", look},
                  {"style", style_of(share(file.findings[i], most))},
                  {"title", format("{} {}", file.findings[i], look)}},
                 {});
    }
    const std::size_t all = file.findings[0] + file.findings[1] + file.findings[2];
    rows += tag("div", {{"class", "heat"}},
                span("path", tag("bdi", say(file.path))) + span("heat-bar", bar) +
                    span("heat-count", say(with_thousands(all))));
  }
  return box("heats", rows);
}

}  // namespace godwit::report
