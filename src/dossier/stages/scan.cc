// What of the project and its models does the chip support, and what does the rest cost?
#include "scan/scan.h"

#include "dossier/stage.h"

namespace godwit::dossier::stages {
namespace {

// Models are named as inputs are.
Json relative_paths(const Json& models, const Subject& subject) {
  Json out = Json::array();
  for (Json model : models.items()) {
    model.set("path", subject.relative(model["path"].string()));
    out.add(std::move(model));
  }
  return out;
}

Result<diag::Outcome> run(const Context& context) {
  scan::Options options;
  ASSIGN(options.target, facts::resolve_target(context.option("to")));
  ASSIGN(options.mode, scan::parse_mode(context.option("mode")));
  options.torch_npu = torch_npu_release(context);
  options.progress = true;
  ASSIGN(scan::Report report, scan::scan(context.subject.path, options));
  Json& summary = report.outcome.summary;
  if (summary["models"].is_array()) {
    summary.set("models", relative_paths(summary["models"], context.subject));
  }
  return std::move(report.outcome);
}

}  // namespace

extern const Stage scan = {
    .name = "scan",
    .order = 20,
    .options = {"to", "mode", "lang"},
    .reads = [](const project::File& file) { return file.kind != project::FileKind::kOther; },
    .facts = torch_npu_release,
    .command =
        [](const Context& context) {
          std::vector<std::string> words = {"godwit",
                                            "scan",
                                            context.subject.path.string(),
                                            "--to",
                                            context.option("to"),
                                            "--mode",
                                            context.option("mode")};
          add_release(words, context);
          return command_line(words);
        },
    .run = run,
};

}  // namespace godwit::dossier::stages
