// Reading outcomes back; texts are made anew in the current language.
#include "dossier/source.h"

#include <algorithm>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "diag/document.h"
#include "diag/messages.h"
#include "dossier/outputs.h"
#include "dossier/place.h"
#include "report/render.h"

namespace godwit::dossier {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kReport = "report";

bool is_whole(const Json& document) {
  const auto& findings = document["findings"].items();
  return document["findings"].is_array() && document["summary"].is_object() &&
         std::all_of(findings.begin(), findings.end(),
                     [](const Json& finding) { return finding["code"].is_string(); });
}

}  // namespace

report::Source source_of(const Context& context) {
  report::Source source{.manifest = to_document(context.manifest), .outcomes = {}};
  for (const Record& record : context.manifest.records) {
    if (record.stage == kReport) continue;
    if (const diag::Outcome* const outcome = context.outcome(record.stage)) {
      source.outcomes.emplace(record.stage, *outcome);
    }
  }
  return source;
}

Result<report::Source> read_source(const fs::path& folder) {
  if (!is_dossier(folder)) {
    return fail("E092", {.file = show_path(folder)}, {{"out", show_path(folder)}});
  }
  ASSIGN(const Manifest manifest, read_manifest(folder));
  report::Source source{.manifest = to_document(manifest), .outcomes = {}};
  for (const Record& record : manifest.records) {
    if (record.stage == kReport || !record.applies) continue;
    ASSIGN(diag::Outcome outcome, read_outcome(folder, manifest, record.stage));
    source.outcomes.emplace(record.stage, std::move(outcome));
  }
  return source;
}

// The manifest learns of the new file before it is there, so that a kill between the two leaves no
// file that looks changed by hand.
Status redraw(const fs::path& folder) {
  constexpr std::string_view kPage = "report.html";
  ASSIGN(const Place place, Place::reopen(folder));
  ASSIGN(const report::Source source, read_source(folder));
  const std::string html = report::render_html(report::make_page(source));
  ASSIGN(Manifest manifest, read_manifest(folder));
  const Record* const known = manifest.find(kReport);
  Record record = known ? *known : Record{.stage = std::string(kReport)};
  if (const auto edits = find_edits(folder, record);
      std::count(edits.begin(), edits.end(), kPage)) {
    return fail("E089", {.file = show_path(folder / kPage)},
                {{"count", "1"}, {"files", std::string(kPage)}, {"stage", record.stage}});
  }
  record.key.clear();
  record.outputs.push_back({std::string(kPage), html.size(), sha256(html)});
  manifest.put(std::move(record));
  TRY(write_manifest(manifest, folder));
  return write_file(folder / kPage, html);
}

diag::Outcome merge(const report::Source& source) {
  diag::Outcome all{.command = "migrate"};
  for (const auto& [stage, outcome] : source.outcomes) {
    all.findings.insert(all.findings.end(), outcome.findings.begin(), outcome.findings.end());
    all.summary.set(stage, outcome.summary);
  }
  diag::sort(all.findings);
  return all;
}

Result<diag::Outcome> read_outcome(const fs::path& folder, const Manifest& manifest,
                                   std::string_view stage) {
  const std::string name = outcome_file(stage);
  const Record* const record = manifest.find(stage);
  const auto damaged = [&](std::string_view reason) {
    return fail("E093", {.file = show_path(folder / name)},
                {{"path", show_path(folder / name)},
                 {"stage", std::string(stage)},
                 {"reason", std::string(reason)},
                 {"command", manifest.command}});
  };
  const auto text = read_file(folder / name);
  if (!text) return damaged(diag::text(text.error().code + ".title", text.error().args));
  const auto document = parse_json(*text, name);
  if (!document) return damaged(diag::text("E012.title"));
  if (!is_whole(*document) || !record || !holds_outcome(folder, *record))
    return damaged(diag::text("dossier.not_as_written"));
  diag::Outcome outcome{.command = std::string((*document)["command"].string())};
  for (const Json& finding : (*document)["findings"].items())
    outcome.findings.push_back(diag::to_finding(finding));
  outcome.summary = (*document)["summary"];
  return outcome;
}

}  // namespace godwit::dossier
