// godwit baseline record: starts a training script and records what it does.
#include <filesystem>

#include "base/text.h"
#include "cli/command.h"
#include "cli/start_python.h"

namespace godwit::cli::commands {
namespace {

Status start(const Arguments& arguments) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::path folder = fs::absolute(arguments.text("--output"), code);
  const std::string layers = arguments.text("--layers");
  Json asked = Json::object();
  asked.set("folder", folder.string()).set("layers", layers == "none" ? "" : layers);
  if (arguments.has("--seed")) {
    const auto seed = parse_integer(arguments.text("--seed"));
    if (!seed || *seed < 0) return fail("E172", {}, {{"found", arguments.text("--seed")}});
    asked.set("seed", *seed);
  }
  ASSIGN(const Start start, prepare_start("baseline record", arguments));
  fs::create_directories(folder, code);
  if (code) return fail("E005", {}, {{"path", folder.string()}, {"reason", code.message()}});
  return start.run({{"GODWIT_BASELINE", asked.dump()}});
}

ExitCode run(const Arguments& arguments, const Console& console) {
  const Status status = start(arguments);
  return status ? ExitCode::kFine : console.report(status.error());
}

}  // namespace

extern const Command baseline_record = {
    .name = "baseline record",
    .options = {{.name = "COMMAND", .many = true, .verbatim = true},
                {.name = "--output", .value = "DIR", .fallback = "baseline", .letter = "-o"},
                {.name = "--layers", .value = "STEPS", .fallback = "1-3"},
                {.name = "--seed", .value = "N"}},
    .phase = Phase::kPrepare,
    .examples = {"godwit baseline record -o baseline-gpu -- python train.py",
                 "godwit baseline record -o baseline-npu --seed 7 -- torchrun --nproc_per_node 2 "
                 "train.py"},
    .run = run,
};

}  // namespace godwit::cli::commands
