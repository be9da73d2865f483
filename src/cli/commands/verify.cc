// godwit verify: does a model keep its accuracy under the numerics of a chip, and where not?
#include "exec/verify.h"

#include "base/text.h"
#include "cli/chip_options.h"

namespace godwit::cli::commands {
namespace {

ExitCode run(const Arguments& arguments, const Console& console) {
  const auto seed = parse_integer(arguments.text("--seed"));
  if (!seed) {
    return console.report(Error{.code = "E172", .args = {{"found", arguments.text("--seed")}}});
  }
  const auto given = arguments.values.find("--inputs");
  auto outcome = exec::verify(
      {.model = arguments.text("MODEL"),
       .against = arguments.text("--against"),
       .to = arguments.text("--to"),
       .inputs = given == arguments.values.end() ? std::vector<std::string>() : given->second,
       .seed = static_cast<std::uint64_t>(*seed),
       .dims = arguments.list("--dim"),
       .reference = arguments.text("--reference"),
       .executor = arguments.text("--executor"),
       .gate = arguments.text("--gate"),
       .lists_layers = arguments.has("--layers"),
       .spreads = arguments.has("--spread"),
       .chip = chip_options(arguments)});
  return outcome ? console.deliver(*std::move(outcome), arguments)
                 : console.report(outcome.error());
}

}  // namespace

extern const Command verify = {
    .name = "verify",
    .options = with_chip_options(
        {{.name = "MODEL", .required = true},
         {.name = "--to", .value = "SOC", .required = true},
         {.name = "--against", .value = "MODEL"},
         {.name = "--inputs", .value = "SOURCE", .many = true},
         {.name = "--seed", .value = "N", .fallback = "0"},
         {.name = "--dim", .value = "NAME=N", .many = true},
         {.name = "--reference", .value = "TYPE", .fallback = "fp64", .choices = {"fp64", "fp32"}},
         {.name = "--gate",
          .value = "GATE",
          .fallback = "requested",
          .choices = {"requested", "budget"}},
         {.name = "--layers"},
         {.name = "--spread"}},
        {{.name = "--executor",
          .value = "EXECUTOR",
          .fallback = "plan",
          .choices = {"plan", "reference"}}}),
    .phase = Phase::kVerify,
    .shared = Shared::kFindings,
    .examples = {"godwit verify model.onnx --to ascend310p",
                 "godwit verify model.onnx --to Ascend310P3 --inputs batch.npz --layers",
                 "godwit verify migrated.onnx --against model.onnx --to ascend910b --gate budget"},
    .run = run,
};

}  // namespace godwit::cli::commands
