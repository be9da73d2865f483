// Models from one form to another, for tests that hold them against the onnx package. Usage:
// model_tool [--opset N] [--external] [--inline] [--refusals en|zh] IN OUT, both .onnx, or .txt for
// the text form. With --refusals what cannot be done is printed as lines of path, operator, reason.
#include <fmt/core.h>

#include <string>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "diag/finding.h"
#include "diag/messages.h"
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
  bool lists_refusals = false;
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

std::string argument(const Error& error, std::string_view name) {
  for (const auto& [key, value] : error.args) {
    if (key == name) return value;
  }
  return error.code;
}

void report(const Options& options, const Error& error) {
  const std::string& path = options.paths[0];
  if (options.lists_refusals)
    fmt::print("{}\t{}\t{}\n", path, argument(error, "op"), argument(error, "reason"));
  else
    fmt::print(stderr, "{}\n{}\n", path, diag::render(error));
}

Result<Options> read_options(int argc, char** argv) {
  Options out;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--opset" && i + 1 < argc) {
      out.opset = parse_integer(argv[++i]).value_or(0);
    } else if (argument == "--refusals" && i + 1 < argc) {
      ASSIGN(const diag::Language language, diag::choose_language(argv[++i]));
      diag::set_language(language);
      out.lists_refusals = true;
    } else if (argument == "--external") {
      out.is_external = true;
    } else if (argument == "--inline") {
      out.is_inlined = true;
    } else {
      out.paths.push_back(argument);
    }
  }
  return out;
}

}  // namespace
}  // namespace godwit::tests

int main(int argc, char** argv) {
  const godwit::Result<godwit::tests::Options> options = godwit::tests::read_options(argc, argv);
  if (!options || options->paths.size() % 2) return 2;
  int failed = 0;
  for (std::size_t i = 0; i + 1 < options->paths.size(); i += 2) {
    godwit::tests::Options one = *options;
    one.paths = {options->paths[i], options->paths[i + 1]};
    const godwit::Status status = godwit::tests::run(one);
    if (status) continue;
    ++failed;
    godwit::tests::report(one, status.error());
  }
  return failed ? 1 : 0;
}
