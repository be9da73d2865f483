// godwit export: a model in PyTorch to ONNX, checked and scanned; the work is done by PyTorch, in
// Python.
#include "cli/command.h"
#include "emulate/launch.h"

namespace godwit::cli::commands {
namespace {

Status start(const Arguments& arguments) {
  ASSIGN(const emulate::Python python,
         emulate::find_python({arguments.text("--python")}, emulate::Purpose::kRecord));
  std::vector<std::string> command = {python.program, "-m", "godwit.exporting",
                                      arguments.text("SCRIPT")};
  const auto pass = [&](const char* name) {
    if (!arguments.has(name)) return;
    command.insert(command.end(), {name, arguments.text(name)});
  };
  for (const char* const name : {"--output", "--opset", "--to"}) pass(name);
  if (const auto given = arguments.values.find("--inputs"); given != arguments.values.end()) {
    for (const std::string& input : given->second)
      command.insert(command.end(), {"--inputs", input});
  }
  return emulate::launch(command, {}, python);
}

ExitCode run(const Arguments& arguments, const Console& console) {
  const Status status = start(arguments);
  return status ? ExitCode::kFine : console.report(status.error());
}

}  // namespace

extern const Command export_ = {
    .name = "export",
    .options = {{.name = "SCRIPT", .required = true},
                {.name = "--inputs", .value = "INPUT", .many = true},
                {.name = "--output", .value = "FILE", .required = true, .letter = "-o"},
                {.name = "--opset", .value = "N", .fallback = "18"},
                {.name = "--to", .value = "SOC"},
                {.name = "--python", .value = "PROGRAM", .fallback = "python3"}},
    .phase = Phase::kMigrate,
    .examples = {"godwit export model.py:make_model --inputs image=batch,3,224,224 -o model.onnx",
                 "godwit export bert.py:make --inputs ids=batch,seq:int64 --inputs "
                 "mask=batch,seq:int64 -o bert.onnx --to ascend310p"},
    .run = run,
};

}  // namespace godwit::cli::commands
