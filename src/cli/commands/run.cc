// godwit run: a model on the CPU, in reference precision or with the numerics of an NPU.
#include "base/text.h"
#include "cli/chip_options.h"
#include "cli/output_place.h"
#include "exec/session.h"

namespace godwit::cli::commands {
namespace {

ExitCode run_model(const Arguments& arguments, const Console& console) {
  const auto seed = parse_integer(arguments.text("--seed"));
  if (!seed) {
    return console.report(Error{.code = "E172", .args = {{"found", arguments.text("--seed")}}});
  }
  if (arguments.has("--outputs")) {
    const Status place = check_output_place(arguments, arguments.text("--outputs"));
    if (!place) return console.report(place.error());
  }
  const auto given = arguments.values.find("--inputs");
  auto outcome = exec::run(
      {.model = arguments.text("MODEL"),
       .inputs = given == arguments.values.end() ? std::vector<std::string>() : given->second,
       .random = arguments.has("--random"),
       .seed = static_cast<std::uint64_t>(*seed),
       .dims = arguments.list("--dim"),
       .profile = arguments.text("--profile"),
       .chip = chip_options(arguments),
       .executor = arguments.text("--executor"),
       .outputs = arguments.text("--outputs"),
       .dump = arguments.text("--dump")});
  return outcome ? console.deliver(*std::move(outcome), arguments)
                 : console.report(outcome.error());
}

}  // namespace

extern const Command run = {
    .name = "run",
    .options = with_chip_options({{.name = "MODEL", .required = true},
                                  {.name = "--inputs", .value = "SOURCE", .many = true},
                                  {.name = "--random"},
                                  {.name = "--seed", .value = "N", .fallback = "0"},
                                  {.name = "--dim", .value = "NAME=N", .many = true},
                                  {.name = "--outputs", .value = "FILE"},
                                  {.name = "--profile", .value = "PROFILE", .fallback = "fp32"}},
                                 {{.name = "--executor",
                                   .value = "EXECUTOR",
                                   .fallback = "plan",
                                   .choices = {"plan", "reference"}},
                                  {.name = "--dump", .value = "DIR"}}),
    .phase = Phase::kVerify,
    .shared = Shared::kOutput,
    .examples = {"godwit run model.onnx --inputs batch.npz --outputs out.npz",
                 "godwit run model.onnx --random --dim N=4 --profile ascend310p",
                 "godwit run model.onnx --inputs x=image.npy --profile fp64 --dump values/"},
    .run = run_model,
};

}  // namespace godwit::cli::commands
