// godwit doctor: do driver, CANN, torch, torch_npu and Python fit each other, and what should be
// installed?
#include "doctor/doctor.h"

#include "cli/command.h"

namespace godwit::cli::commands {
namespace {

ExitCode run(const Arguments& arguments, const Console& console) {
  const auto outcome = godwit::doctor::doctor({.project = arguments.text("PATH"),
                                               .to = arguments.text("--to"),
                                               .description = arguments.text("--env"),
                                               .requirements = arguments.text("--requirements"),
                                               .root = arguments.text("--root")});
  return outcome ? console.deliver(*outcome, arguments) : console.report(outcome.error());
}

}  // namespace

extern const Command doctor = {
    .name = "doctor",
    .options = {{.name = "PATH", .fallback = "."},
                {.name = "--to", .value = "SOC"},
                {.name = "--env", .value = "FILE"},
                {.name = "--requirements", .value = "FILE"},
                {.name = "--root", .value = "DIR"}},
    .phase = Phase::kPrepare,
    .shared = Shared::kFindings,
    .examples = {"godwit doctor", "godwit doctor . --to Ascend310P3",
                 "godwit doctor --env server.toml --format json",
                 "godwit doctor --requirements matrix.toml"},
    .run = run,
};

}  // namespace godwit::cli::commands
