// godwit port: the project's source taken from CUDA to the NPU, as a diff, a copy, or in place.
#include <chrono>

#include "base/process.h"
#include "base/text.h"
#include "cli/command.h"
#include "diag/messages.h"
#include "facts/soc.h"
#include "port/port.h"

namespace godwit::cli::commands {
namespace {

// Nothing is edited in place that git could not show: the tree must be clean, or --force given.
Status check_clean(const std::string& project) {
  const auto status = run_program({"git", "-C", project, "status", "--porcelain", "--", "."},
                                  std::chrono::seconds(30));
  if (!status || status->exit_code != 0)
    return fail("E116", {.file = project}, {{"project", project}});
  if (!trim(status->output).empty()) return fail("E117", {.file = project}, {{"project", project}});
  return {};
}

ExitCode run_undo(const std::string& project, const Console& console) {
  const Result<std::uint32_t> undone = port::undo(project);
  if (!undone) return console.report(undone.error());
  console.print(diag::text("port.undone", {{"files", with_thousands(*undone)}}) + "\n");
  return ExitCode::kFine;
}

Status act(port::Plan& plan, const Arguments& arguments, const std::string& project) {
  if (arguments.has("--in-place")) {
    if (!arguments.has("--force")) TRY(check_clean(project));
    return port::write_in_place(plan);
  }
  if (arguments.has("--output")) return port::write(plan, arguments.text("--output"));
  return {};
}

Result<port::Options> options_of(const Arguments& arguments, const facts::Target& target) {
  ASSIGN(const std::uint32_t cards, port::parse_cards(arguments.text("--cards")));
  port::Options options{.target = target,
                        .torch_npu = arguments.text("--torch-npu"),
                        .exclude = arguments.list("--exclude"),
                        .cards = cards,
                        .sync_batchnorm = arguments.has("--sync-batchnorm"),
                        .installed = arguments.has("--installed")};
  if (arguments.text("--float64") == "single") options.float64 = port::Float64::kSingle;
  if (arguments.text("--style") == "portable") options.style = port::Style::kPortable;
  if (arguments.text("--mode") == "inference") options.mode = port::Mode::kInference;
  if (arguments.text("--mode") == "training") options.mode = port::Mode::kTraining;
  return options;
}

ExitCode run(const Arguments& arguments, const Console& console) {
  const std::string project = arguments.text("PROJECT");
  if (arguments.has("--undo")) return run_undo(project, console);
  const auto target = facts::resolve_target(arguments.text("--to"));
  if (!target) return console.report(target.error());
  const auto options = options_of(arguments, *target);
  if (!options) return console.report(options.error());
  auto plan = arguments.has("--reapply")
                  ? port::reapply(project, arguments.text("--reapply"), *options)
                  : port::plan(project, *options);
  if (!plan) return console.report(plan.error());
  if (const Status done = act(*plan, arguments, project); !done)
    return console.report(done.error());
  const bool writes = arguments.has("--in-place") || arguments.has("--output");
  if (arguments.has("--diff") || (!writes && arguments.text("--format") == "text")) {
    console.print(port::diff(*plan));
    if (arguments.has("--diff")) return ExitCode::kFine;
    console.print("\n");
  }
  Arguments rest = arguments;
  rest.values.erase("--output");  // the folder of the ported copy, not of the report
  return console.deliver(port::outcome(*plan), rest);
}

}  // namespace

extern const Command port = {
    .name = "port",
    .options =
        {{.name = "PROJECT", .required = true},
         {.name = "--to", .value = "SOC", .fallback = "ascend310p"},
         {.name = "--torch-npu", .value = "VERSION"},
         {.name = "--cards", .value = "N"},
         {.name = "--sync-batchnorm"},
         {.name = "--output", .value = "FOLDER", .letter = "-o"},
         {.name = "--in-place"},
         {.name = "--force"},
         {.name = "--diff"},
         {.name = "--undo"},
         {.name = "--style", .value = "STYLE", .fallback = "npu", .choices = {"npu", "portable"}},
         {.name = "--mode",
          .value = "MODE",
          .fallback = "auto",
          .choices = {"inference", "training", "auto"}},
         {.name = "--float64", .value = "HOW", .fallback = "ask", .choices = {"ask", "single"}},
         {.name = "--installed"},
         {.name = "--reapply", .value = "UPSTREAM"},
         {.name = "--exclude", .value = "GLOB", .many = true}},
    .phase = Phase::kMigrate,
    .shared = Shared::kFindings,
    .examples = {"godwit port . --to ascend310p",
                 "godwit port . --to ascend910b --torch-npu 2.7.1 -o ../ported",
                 "godwit port . --to ascend310p --cards 2 -o ../ported",
                 "godwit port . --to ascend310p --in-place", "godwit port . --undo"},
    .run = run,
};

}  // namespace godwit::cli::commands
