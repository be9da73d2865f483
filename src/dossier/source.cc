// Reading outcomes back; texts are made anew in the current language.
#include "dossier/source.h"

#include <algorithm>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "diag/document.h"
#include "dossier/outputs.h"
#include "dossier/place.h"
#include "report/render.h"

namespace godwit::dossier {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kReport = "report";

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
    ASSIGN(diag::Outcome outcome, read_outcome(folder, record.stage));
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

Result<diag::Outcome> read_outcome(const fs::path& folder, std::string_view stage) {
  const fs::path path = folder / "stages" / (std::string(stage) + ".json");
  ASSIGN(const std::string text, read_file(path));
  ASSIGN(const Json document, parse_json(text, show_path(path)));
  diag::Outcome outcome{.command = std::string(document["command"].string())};
  for (const Json& finding : document["findings"].items()) {
    outcome.findings.push_back(diag::to_finding(finding));
  }
  outcome.summary = document["summary"];
  return outcome;
}

}  // namespace godwit::dossier
