// godwit inspect: what does a model take and give, what does it compute, what does it hold?
#include "exec/inspect.h"

#include "cli/command.h"
#include "cli/output_place.h"

namespace godwit::cli::commands {
namespace {

ExitCode run(const Arguments& arguments, const Console& console) {
  if (arguments.has("--output")) {
    const Status place = check_output_place(arguments, arguments.text("--output"));
    if (!place) return console.report(place.error());
  }
  auto outcome = exec::inspect({.model = arguments.text("MODEL"),
                                .dims = arguments.list("--dim"),
                                .graph = arguments.has("--graph"),
                                .annotated = arguments.text("--output")});
  Arguments rest = arguments;
  rest.values.erase("--output");  // the annotated model, not the text
  return outcome ? console.deliver(*std::move(outcome), rest) : console.report(outcome.error());
}

}  // namespace

extern const Command inspect = {
    .name = "inspect",
    .options = {{.name = "MODEL", .required = true},
                {.name = "--dim", .value = "NAME=N", .many = true},
                {.name = "--graph"},
                {.name = "--output", .value = "MODEL", .letter = "-o"}},
    .phase = Phase::kVerify,
    .shared = Shared::kOutput,
    .examples = {"godwit inspect model.onnx", "godwit inspect model.onnx --dim N=8 --format json",
                 "godwit inspect model.onnx --graph",
                 "godwit inspect model.onnx -o annotated.onnx"},
    .run = run,
};

}  // namespace godwit::cli::commands
