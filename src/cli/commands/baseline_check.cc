// godwit baseline check: did two recorded runs do the same, so that their curves may be compared?
#include "baseline/check.h"

#include "cli/command.h"

namespace godwit::cli::commands {
namespace {

ExitCode run(const Arguments& arguments, const Console& console) {
  auto outcome = baseline::check(arguments.text("A"), arguments.text("B"));
  return outcome ? console.deliver(*std::move(outcome), arguments)
                 : console.report(outcome.error());
}

}  // namespace

extern const Command baseline_check = {
    .name = "baseline check",
    .options = {{.name = "A", .required = true}, {.name = "B", .required = true}},
    .phase = Phase::kPrepare,
    .shared = Shared::kFindings,
    .examples = {"godwit baseline check baseline-gpu baseline-npu",
                 "godwit baseline check baseline-gpu baseline-npu --format json"},
    .run = run,
};

}  // namespace godwit::cli::commands
