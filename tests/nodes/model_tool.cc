// Models from one form to another, for tests that hold them against the onnx package. Usage:
// model_tool [--opset N] [--external] [--inline] IN OUT, both .onnx, or .txt for the text form.
#include <fmt/core.h>

#include <string>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "diag/finding.h"
#include "formats/onnx/import.h"
#include "formats/onnx/write.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "ops/convert.h"
#include "ops/expand.h"
#include "ops/infer.h"

namespace godwit::tests {
namespace {

struct Options {
  std::int64_t opset = 0;
  bool is_external = false;
  bool is_inlined = false;
  std::vector<std::string> paths;
};

Result<ir::Model> read_any(const std::string& path) {
  if (!path.ends_with(".txt")) return formats::onnx::load(path);
  ASSIGN(const std::string text, read_file(path));
  return ir::parse(text, path);
}

Status run(const Options& options) {
  ASSIGN(ir::Model model, read_any(options.paths[0]));
  TRY(ir::verify(model));
  if (options.is_inlined) TRY(ops::expand_unknown(model));
  if (options.is_inlined) TRY(ops::infer(model));
  if (options.opset) TRY(ops::convert(model, options.opset));
  TRY(ir::verify(model));
  if (options.paths[1].ends_with(".txt")) return write_file(options.paths[1], ir::print(model));
  using formats::onnx::External;
  return formats::onnx::write(
      model, options.paths[1],
      {.external = options.is_external ? External::kAlways : External::kAuto,
       .external_from = options.is_external ? 8u : 1024u});
}

}  // namespace
}  // namespace godwit::tests

int main(int argc, char** argv) {
  godwit::tests::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--opset" && i + 1 < argc)
      options.opset = godwit::parse_integer(argv[++i]).value_or(0);
    else if (argument == "--external")
      options.is_external = true;
    else if (argument == "--inline")
      options.is_inlined = true;
    else
      options.paths.push_back(argument);
  }
  if (options.paths.size() % 2) return 2;
  int failed = 0;
  for (std::size_t i = 0; i + 1 < options.paths.size(); i += 2) {
    godwit::tests::Options one = options;
    one.paths = {options.paths[i], options.paths[i + 1]};
    const godwit::Status status = godwit::tests::run(one);
    if (status) continue;
    ++failed;
    fmt::print(stderr, "{}\n{}\n", one.paths[0], godwit::diag::render(status.error()));
  }
  return failed ? 1 : 0;
}
