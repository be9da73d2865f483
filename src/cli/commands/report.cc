// godwit report: the page of a dossier drawn again, or its findings in another form.
#include "base/file.h"
#include "cli/command.h"
#include "cli/output_place.h"
#include "dossier/source.h"
#include "report/render.h"

namespace godwit::cli::commands {
namespace {

Status write_page(const Arguments& arguments) {
  const std::string folder = arguments.text("DOSSIER");
  if (!arguments.has("--output")) return dossier::redraw(folder);
  const std::string file = arguments.text("--output");
  TRY(check_output_place(arguments, file));
  ASSIGN(const report::Source source, dossier::read_source(folder));
  return write_file(file, report::render_html(report::make_page(source)));
}

ExitCode run(const Arguments& arguments, const Console& console) {
  if (arguments.text("--format") == "html") {
    const Status status = write_page(arguments);
    return status ? ExitCode::kFine : console.report(status.error());
  }
  const auto source = dossier::read_source(arguments.text("DOSSIER"));
  if (!source) return console.report(source.error());
  Arguments shown = arguments;
  shown.values["--fail-on"] = {"never"};  // the findings were judged when the dossier was made
  return console.deliver(dossier::merge(*source), shown);
}

}  // namespace

extern const Command report = {
    .name = "report",
    .options = {{.name = "DOSSIER", .required = true},
                {.name = "--output", .value = "FILE", .letter = "-o"},
                {.name = "--format", .value = "FORMAT", .fallback = "html"}},
    .examples = {"godwit report clip.godwit --lang zh -o clip-zh.html",
                 "godwit report clip.godwit --format sarif -o clip.sarif"},
    .run = run,
};

}  // namespace godwit::cli::commands
