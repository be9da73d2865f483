// godwit trace: starts a command and writes which operators it calls.
#include <filesystem>

#include "cli/command.h"
#include "cli/start_python.h"

namespace godwit::cli::commands {
namespace {

Status start(const Arguments& arguments) {
  namespace fs = std::filesystem;
  ASSIGN(const Start start, prepare_start("trace", arguments));
  std::error_code code;
  const fs::path file = fs::absolute(arguments.text("--output"), code);
  fs::remove(file, code);  // each process takes the first name that is free
  return start.run({{"GODWIT_TRACE", file.string()}});
}

ExitCode run(const Arguments& arguments, const Console& console) {
  const Status status = start(arguments);
  return status ? ExitCode::kFine : console.report(status.error());
}

}  // namespace

extern const Command trace = {
    .name = "trace",
    .options = {{.name = "COMMAND", .many = true, .verbatim = true},
                {.name = "--output", .value = "FILE", .fallback = "trace.jsonl", .letter = "-o"}},
    .phase = Phase::kPrepare,
    .examples = {"godwit trace -- python train.py",
                 "godwit trace -o ops.jsonl -- torchrun --nproc_per_node 2 train.py",
                 "godwit scan trace.jsonl --to ascend310p"},
    .run = run,
};

}  // namespace godwit::cli::commands
