// What of the project and its models does the chip support, and what does the rest cost?
#include "scan/scan.h"

#include "dossier/stage.h"

namespace godwit::dossier::stages {
namespace {

Result<diag::Outcome> run(const Context& context) {
  scan::Options options;
  ASSIGN(options.target, facts::resolve_target(context.option("to")));
  ASSIGN(options.mode, scan::parse_mode(context.option("mode")));
  options.torch_npu = context.option("torch-npu");
  options.progress = true;
  ASSIGN(scan::Report report, scan::scan(context.subject.path, options));
  return std::move(report.outcome);
}

}  // namespace

extern const Stage scan = {
    .name = "scan",
    .order = 20,
    .options = {"to", "mode", "torch-npu", "lang"},
    .reads = [](const project::File& file) { return file.kind != project::FileKind::kOther; },
    .command =
        [](const Context& context) {
          return command_line({"godwit", "scan", context.subject.path.string(), "--to",
                               context.option("to"), "--mode", context.option("mode")});
        },
    .run = run,
};

}  // namespace godwit::dossier::stages
