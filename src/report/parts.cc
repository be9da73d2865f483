// Head, figures, support, effort, next steps, files and record of a run.
#include "report/parts.h"

#include <algorithm>

#include "base/text.h"
#include "diag/messages.h"
#include "report/pictures.h"

namespace godwit::report {
namespace {

Html section(std::string_view id, std::string_view title_key, const Html& content) {
  return tag("section", {{"id", id}}, tag("h2", word(title_key)) + content);
}

Html figure(const Html& value, std::string_view label_key, std::string_view look) {
  return tag("div", {{"class", format("figure {}", look)}},
             box("value", value) + box("name", word(label_key)));
}

Html code_block(std::string_view text) {
  return box(
      "code",
      tag("pre", tag("code", say(text))) +
          tag("button",
              {{"type", "button"}, {"class", "copy"}, {"data-done", diag::text("report.copied")}},
              word("report.copy")));
}

std::string answer(const Page& page) {
  const bool blocked = page.findings[2] > 0;
  std::string out =
      blocked ? diag::text("report.answer_blocked", {{"count", with_thousands(page.findings[2])},
                                                     {"places", with_thousands(page.places[2])}})
              : diag::text("report.answer_clear");
  if (!page.effort.empty()) {
    out += diag::text("report.answer_days", {{"days", days(page.first_run)}});
  }
  return out;
}

// What the phases add, as the items above it.
Html sum_row(const Page& page) {
  const auto added = [](Range all, Range before) {
    return tag("td", {{"class", "num"}},
               tag("b", say(days({all.low - before.low, all.high - before.high}))));
  };
  return tag("tr", tag("td", tag("b", word("report.effort_sum"))) + tag("td", say("")) +
                       added(page.first_run, {}) + added(page.production, page.first_run) +
                       added(page.peak, page.production) + tag("td", say("")));
}

}  // namespace

Html word(std::string_view key, const Args& args) { return say(diag::text(key, args)); }

Html head_part(const Page& page) {
  const Html route =
      span("from", word("report.from")) + span("arrow", say("→")) + span("to", say(page.target));
  return tag("header",
             box("brand", say("Godwit") + span("faint", word("report.title"))) +
                 tag("h1", tag("bdi", say(page.name))) + box("route", route) +
                 tag("p", {{"class", "answer"}}, say(answer(page))) +
                 tag("p", {{"class", "faint"}},
                     say(page.kinds + " · " +
                         diag::text("report.files", {{"count", with_thousands(page.files)}}) +
                         " · godwit " + page.version)));
}

Html figures_part(const Page& page) {
  const bool blocked = page.findings[2] > 0;
  Html figures =
      figure(say(with_thousands(page.findings[2])), "report.blocking", blocked ? "bad" : "good");
  figures += figure(say(with_thousands(page.findings[1])), "report.warnings", "slow");
  if (page.is_ported) figures += figure(say(with_thousands(page.edits)), "report.edits", "");
  if (!page.effort.empty()) {
    figures += figure(say(days(page.first_run)) + span("unit", word("report.days_unit")),
                      "report.first_run_days", "");
  }
  return box("figures", figures);
}

Html support_part(const Page& page) {
  Html content;
  if (!page.coverage.empty()) {
    const double part =
        page.apis ? static_cast<double>(page.supported) / static_cast<double>(page.apis) : 0;
    content += box("support", donut(page.coverage, part) +
                                  box("support-text", tag("h3", word("report.cover_title")) +
                                                          legend(page.coverage)));
  }
  for (const Model& model : page.models) {
    content += box("model", tag("h3", tag("bdi", say(model.path))) + share_bar(model.tiers) +
                                legend(model.tiers) +
                                (model.verified.empty() ? Html() : tag("p", say(model.verified))) +
                                (model.command.empty() ? Html() : code_block(model.command)));
  }
  return content.code.empty() ? Html() : section("support", "report.support", content);
}

Html effort_part(const Page& page) {
  if (page.effort.empty()) return {};
  Html rows;
  for (const EffortRow& row : page.effort) {
    rows += tag("tr", tag("td", say(row.title) + box("faint", say(row.basis))) +
                          tag("td", {{"class", "num"}}, say(with_thousands(row.count))) +
                          tag("td", {{"class", "num"}}, say(days(row.first_run))) +
                          tag("td", {{"class", "num"}}, say(days(row.production))) +
                          tag("td", {{"class", "num"}}, say(days(row.peak))) +
                          tag("td", word(row.calibrated ? "report.calibrated" : "report.assumed")));
  }
  rows += sum_row(page);
  Html heads = tag("th", word("report.effort_item"));
  for (const std::string_view key :
       {"report.effort_count", "report.first_run", "report.production", "report.peak"}) {
    heads += tag("th", {{"class", "num"}}, word(key));
  }
  heads += tag("th", word("report.basis"));
  const Html table = tag("table", tag("thead", tag("tr", heads)) + tag("tbody", rows));
  return section(
      "effort", "report.effort",
      range_chart(page) + tag("p", {{"class", "faint"}}, word("report.effort_note")) +
          tag("details", tag("summary", word("report.effort_items")) + box("scroll", table)));
}

Html next_part(const Page& page) {
  Html steps;
  if (!page.install.empty()) {
    steps += tag("li", word("report.next_install") + code_block(join(page.install, "\n")));
  }
  if (page.is_ported) {
    const Args args = {{"edits", with_thousands(page.edits)},
                       {"files", with_thousands(page.edited_files)}};
    steps += tag("li", word("report.next_port", args) + code_block(page.apply));
  }
  if (!page.trials.empty()) {
    const Html result = page.trial.empty() ? Html() : tag("p", say(page.trial));
    steps += tag("li", word("report.next_try") + code_block(join(page.trials, "\n")) + result);
  }
  if (page.findings[2] > 0) {
    steps += tag("li", word("report.next_blocking", {{"count", with_thousands(page.findings[2])}}) +
                           say(" ") + tag("a", {{"href", "#findings"}}, word("report.findings")));
  }
  steps += tag("li", word("report.next_card"));
  return section("next", "report.next", tag("ol", {{"class", "steps"}}, steps));
}

Html versions_part(const Page& page) {
  if (page.versions.empty()) return {};
  Html rows;
  for (const VersionRow& row : page.versions) {
    const Html found =
        row.found.empty() ? span("faint", word("report.version_unknown")) : say(row.found);
    rows += tag("tr", tag("td", say(row.component)) + tag("td", {{"class", "mono"}}, found) +
                          tag("td", {{"class", "mono"}}, say(row.wanted)));
  }
  const Html heads = tag("th", word("report.component")) + tag("th", word("report.found")) +
                     tag("th", word("report.wanted"));
  Html table = box("scroll", tag("table", tag("thead", tag("tr", heads)) + tag("tbody", rows)));
  if (is_nearest_release(page)) {
    table += tag("p", {{"class", "faint"}},
                 word("migrate.nearest_release",
                      {{"used", page.used_release}, {"wanted", page.solved_release}}));
  }
  return section("environment", "report.environment", table);
}

Html files_part(const Page& page) {
  if (page.hot_files.empty()) return {};
  return section("files", "report.hot_files", heat_bars(page.hot_files));
}

Html record_part(const Page& page) {
  std::vector<std::string> commands;
  for (const StageRow& row : page.stages) {
    if (!row.command.empty()) commands.push_back(row.command);
  }
  Html facts = tag("dt", word("report.program")) + tag("dd", say("godwit " + page.version)) +
               tag("dt", word("report.tables")) +
               tag("dd", {{"class", "mono"}}, say(page.data.substr(0, 16)));
  Html content = tag("h3", word("report.stages")) + timeline(page.stages);
  content += tag("h3", word("report.again")) + code_block(page.command);
  if (!commands.empty())
    content += tag("p", word("report.alone")) + code_block(join(commands, "\n"));
  return section(
      "record", "report.record",
      content + tag("dl", facts) + tag("p", {{"class", "faint"}}, word("report.manifest_note")));
}

Html checklist_part(const Page& page) {
  Html phases, rows;
  std::string_view phase;
  const auto close = [&] {
    if (phase.empty()) return;
    phases += box("phase", tag("h3", word(format("report.phase_{}", phase))) + tag("ul", rows));
    rows = {};
  };
  for (const Check& check : page.checklist) {
    if (check.phase != phase) {
      close();
      phase = check.phase;
    }
    const std::string_view state = to_string(check.state);
    const std::string look = format("report.state_{}", state);
    rows +=
        tag("li", {{"class", format("check {}", state)}},
            tag("i", {{"class", "mark"}, {"title", diag::text(look)}}, {}) +
                box("check-text",
                    say(check.title) +
                        box("faint", word(look) +
                                         say(check.why.empty() ? "" : diag::text("report.colon")) +
                                         say(check.why))));
  }
  close();
  return section("checklist", "report.checklist", box("phases", phases));
}

}  // namespace godwit::report
