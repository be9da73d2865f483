// godwit emulate: starts a command in which every Python process has an emulated NPU.
#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "emulate/launch.h"
#include "emulate/profile.h"

namespace godwit::cli::commands {
namespace {

std::string without_local_part(std::string_view version) {
  return std::string(version.substr(0, version.find('+')));
}

Result<std::string> start(const Arguments& arguments) {
  const auto given = arguments.values.find("COMMAND");
  const bool only_profile = arguments.has("--profile");
  const std::vector<std::string> command =
      given == arguments.values.end() ? std::vector<std::string>() : given->second;
  if (command.empty() && !only_profile) return fail("E248");
  emulate::Options options{.to = arguments.text("--to"),
                           .cards = arguments.text("--cards"),
                           .memory = arguments.text("--memory"),
                           .missing = arguments.text("--missing"),
                           .numerics = arguments.text("--numerics"),
                           .report = arguments.text("--report"),
                           .steps = arguments.text("--steps"),
                           .fault = arguments.text("--fault"),
                           .traffic = arguments.text("--traffic"),
                           .torch_npu = arguments.text("--torch-npu"),
                           .torch = without_local_part(arguments.text("--torch"))};
  if (only_profile) {
    ASSIGN(const Json profile, emulate::device_profile(options));
    return profile.dump() + "\n";
  }
  // The device first: what is wrong with it is found at once, asking Python takes a moment.
  TRY(emulate::check_options(options));
  ASSIGN(const emulate::Python python, emulate::find_python(command));
  if (options.torch.empty()) options.torch = without_local_part(python.torch);
  ASSIGN(const Json profile, emulate::device_profile(options));
  ASSIGN(const auto kept, emulate::keep_profile(profile));
  TRY(emulate::launch(command, {{"GODWIT_EMULATE", kept.string()}}, python));
  return std::string();
}

ExitCode run(const Arguments& arguments, const Console& console) {
  const Result<std::string> printed = start(arguments);
  if (!printed) return console.report(printed.error());
  console.print(*printed);
  return ExitCode::kFine;
}

}  // namespace

extern const Command emulate = {
    .name = "emulate",
    .options = {{.name = "COMMAND", .many = true, .verbatim = true},
                {.name = "--to", .value = "SOC", .required = true},
                {.name = "--cards", .value = "N"},
                {.name = "--memory", .value = "SIZE"},
                {.name = "--missing",
                 .value = "WHAT",
                 .fallback = "error",
                 .choices = {"error", "fallback", "warn"}},
                {.name = "--numerics", .value = "ON", .fallback = "on", .choices = {"on", "off"}},
                {.name = "--report", .value = "FILE"},
                {.name = "--traffic", .value = "FILE"},
                {.name = "--steps", .value = "N"},
                {.name = "--fault", .value = "WHAT"},
                {.name = "--torch-npu", .value = "VERSION"},
                {.name = "--torch", .value = "VERSION"},
                {.name = "--profile"}},
    .phase = Phase::kVerify,
    .examples = {"godwit emulate --to ascend310p -- python train.py",
                 "godwit emulate --to ascend910b --cards 2 -- torchrun --nproc_per_node 2 run.py",
                 "godwit emulate --to 310P3 --missing warn --report ops.json -- bash run.sh",
                 "godwit emulate --to ascend310p --profile"},
    .run = run,
};

}  // namespace godwit::cli::commands
