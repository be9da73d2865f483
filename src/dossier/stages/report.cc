// The last stage: what the others found, as a page, a checklist and one document.
#include "base/file.h"
#include "diag/document.h"
#include "dossier/source.h"
#include "dossier/stage.h"
#include "report/render.h"

namespace godwit::dossier::stages {
namespace {

Result<diag::Outcome> run(const Context& context) {
  const report::Source source = source_of(context);
  const report::Page page = report::make_page(source);
  const auto write = [&](const char* name, const std::string& content) {
    return write_file(context.folder / name, content, Sync::kLater);
  };
  TRY(write("report.html", report::render_html(page)));
  TRY(write("checklist.md", report::to_markdown(page.checklist)));
  TRY(write("findings.json", diag::to_document(merge(source)).dump(1) + "\n"));
  const auto scan = source.outcomes.find("scan");
  if (scan != source.outcomes.end() && scan->second.summary["effort"].is_object()) {
    TRY(write("effort.json", scan->second.summary["effort"].dump(1) + "\n"));
  }
  diag::Outcome outcome{.command = "report"};
  outcome.summary.set("checklist", report::count_states(page.checklist));
  return outcome;
}

}  // namespace

extern const Stage report = {
    .name = "report",
    .order = 90,
    .options = {"lang", "apply"},
    .after = {"*"},
    .facts = [](const Context& context) { return context.manifest.command; },
    .run = run,
};

}  // namespace godwit::dossier::stages
