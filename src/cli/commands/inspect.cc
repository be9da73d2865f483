// godwit inspect: what does a model take and give, what does it compute, what does it hold?
#include "exec/inspect.h"

#include "cli/command.h"

namespace godwit::cli::commands {
namespace {

ExitCode run(const Arguments& arguments, const Console& console) {
  auto outcome = exec::inspect({.model = arguments.text("MODEL"),
                                .dims = arguments.list("--dim"),
                                .graph = arguments.has("--graph")});
  return outcome ? console.deliver(*std::move(outcome), arguments)
                 : console.report(outcome.error());
}

}  // namespace

extern const Command inspect = {
    .name = "inspect",
    .options = {{.name = "MODEL", .required = true},
                {.name = "--dim", .value = "NAME=N", .many = true},
                {.name = "--graph"}},
    .shared = Shared::kOutput,
    .examples = {"godwit inspect model.onnx", "godwit inspect model.onnx --dim N=8 --format json",
                 "godwit inspect model.onnx --graph"},
    .run = run,
};

}  // namespace godwit::cli::commands
