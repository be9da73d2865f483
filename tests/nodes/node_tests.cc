// Runs folders of ONNX test cases (model.onnx, test_data_set_N/{input,output}_N.pb) in the
// reference executor and prints what passes by families of operators, and the reason of each case
// that does not. Usage: node_tests [--fast] [--verbose] [--only TEXT] [--except FILE] FOLDER…
// --fast runs them by the plan of kernels. FILE names the cases that are known not to pass, one a
// line, with the reason behind a colon; one of them that passes is a failure too.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/resources.h"
#include "base/text.h"
#include "diag/finding.h"
#include "exec/interpreter.h"
#include "exec/plan.h"
#include "formats/onnx/decode.h"
#include "formats/onnx/import.h"
#include "ops/expand.h"
#include "ops/infer.h"
#include "ops/operator.h"

namespace godwit::tests {
namespace {

namespace fs = std::filesystem;
using ir::Datum;
using ir::Tensor;

struct Verdict {
  std::string kind;  // "pass", "refused", "wrong", "crash", "error", "known", "fixed"
  std::string reason{};
  std::string family{};  // of operators
};

// As onnx.backend.test.runner compares: |found - expected| <= atol + rtol * |expected|.
constexpr double kRelative = 1e-3, kAbsolute = 1e-7;
constexpr double kRelativeOfBfloat16 = 0x1p-6, kRelativeOfHalf = 0x1p-9;  // two last places

double relative_tolerance(ir::ElementType type) {
  if (type == ir::ElementType::kBfloat16) return kRelativeOfBfloat16;
  return type == ir::ElementType::kFloat16 ? kRelativeOfHalf : kRelative;
}

std::string differ(const Tensor& found, const Tensor& expected) {
  if (found.type() != expected.type())
    return format("type {} instead of {}", ir::name(found.type()), ir::name(expected.type()));
  if (found.dims() != expected.dims())
    return format("shape {} instead of {}", ir::to_string(found.dims()),
                  ir::to_string(expected.dims()));
  if (found.type() == ir::ElementType::kString) {
    const auto a = found.values<std::string>(), b = expected.values<std::string>();
    return std::equal(a.begin(), a.end(), b.begin()) ? "" : "other strings";
  }
  if (found.type() == ir::ElementType::kComplex64)
    return differ(
        Tensor::view(ir::ElementType::kFloat, {found.count() * 2}, found.data(), nullptr),
        Tensor::view(ir::ElementType::kFloat, {found.count() * 2}, expected.data(), nullptr));
  if (found.type() == ir::ElementType::kComplex128)
    return differ(
        Tensor::view(ir::ElementType::kDouble, {found.count() * 2}, found.data(), nullptr),
        Tensor::view(ir::ElementType::kDouble, {found.count() * 2}, expected.data(), nullptr));
  const auto a = to_doubles(found), b = to_doubles(expected);
  if (!a || !b) return format("no comparison for {}", ir::name(found.type()));
  const double relative = relative_tolerance(expected.type());
  for (std::size_t i = 0; i < a->size(); ++i) {
    const double x = (*a)[i], y = (*b)[i];
    const bool same = x == y || (std::isnan(x) && std::isnan(y)) ||
                      std::fabs(x - y) <= kAbsolute + relative * std::fabs(y);
    if (!same) return format("element {} is {} instead of {}", i, x, y);
  }
  return "";
}

std::string differ(const Datum& found, const Datum& expected) {
  if (expected.kind == Datum::Kind::kOptional && found.kind != Datum::Kind::kOptional)
    return expected.items.empty() ? "something instead of nothing"
                                  : differ(found, expected.items[0]);
  if (found.kind != expected.kind) return "another kind of value";
  if (found.is_tensor()) return differ(found.tensor, expected.tensor);
  if (found.items.size() != expected.items.size())
    return format("{} items instead of {}", found.items.size(), expected.items.size());
  for (std::size_t i = 0; i < found.items.size(); ++i) {
    if (const std::string text = differ(found.items[i], expected.items[i]); !text.empty())
      return text;
  }
  return "";
}

Result<Datum> read_datum(const ir::Type& type, const fs::path& path) {
  ASSIGN(std::string bytes, read_file(path));
  auto kept = std::make_shared<const std::string>(std::move(bytes));
  ASSIGN(Datum datum, formats::onnx::parse_datum(type.kind, *kept, kept, path.filename()));
  if (!datum.is_tensor()) return datum;
  Tensor tensor = std::move(datum.tensor);
  // onnx 1.12 stored bfloat16 as the bits of uint16.
  const bool is_brain =
      type.element == ir::ElementType::kBfloat16 && tensor.type() == ir::ElementType::kUint16;
  return Datum(is_brain ? tensor.as(ir::ElementType::kBfloat16) : std::move(tensor));
}

Result<std::vector<Datum>> read_data(const ir::Model& model, const std::vector<ir::ValueId>& values,
                                     const fs::path& folder, std::string_view prefix) {
  std::vector<Datum> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const fs::path path = folder / format("{}_{}.pb", prefix, i);
    if (!fs::exists(path)) {
      out.emplace_back();
      continue;
    }
    ASSIGN(Datum datum, read_datum(model.values[values[i]].type, path));
    out.push_back(std::move(datum));
  }
  return out;
}

// What the shape rules say must hold for what came out.
std::string against_rules(const ir::Type& rule, const Datum& found) {
  if (!rule.is_tensor() || !found.is_tensor()) return "";
  const Tensor& tensor = found.tensor;
  const ir::Type made =
      ir::Type::tensor(tensor.type(), ir::Shape(tensor.dims().begin(), tensor.dims().end()));
  return unify(rule, made) ? "" : format("rule says {}, run {}", to_string(rule), to_string(made));
}

bool is_fast = false;

Result<std::vector<Datum>> execute(const ir::Model& model, std::vector<Datum> inputs) {
  if (!is_fast) return exec::run(model, std::move(inputs));
  ASSIGN(exec::Plan plan, exec::Plan::make(model));
  return plan.run(std::move(inputs));
}

Result<std::string> run_set(const ir::Model& model, const fs::path& folder) {
  const ir::Graph& graph = model.main();
  ASSIGN(std::vector<Datum> inputs, read_data(model, graph.inputs, folder, "input"));
  ASSIGN(const std::vector<Datum> expected, read_data(model, graph.outputs, folder, "output"));
  ASSIGN(const std::vector<Datum> found, execute(model, std::move(inputs)));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].kind == Datum::Kind::kNothing) continue;
    std::string text = differ(found[i], expected[i]);
    if (text.empty()) text = against_rules(model.values[graph.outputs[i]].type, found[i]);
    if (!text.empty()) return format("output {}: {}", i, text);
  }
  return "";
}

Result<std::string> run_case(const fs::path& folder) {
  ASSIGN(ir::Model model, formats::onnx::load(folder / "model.onnx"));
  for (ir::Value& value : model.values) {
    // Shapes of the file are left out where a rule must find them by itself.
    if (value.producer != ir::kNone && value.type.is_tensor()) value.type.shape.reset();
  }
  TRY(ops::expand_unknown(model));
  TRY(ops::infer(model));
  std::vector<fs::path> sets;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) sets.push_back(entry.path());
  }
  std::sort(sets.begin(), sets.end());
  for (const fs::path& set : sets) {
    ASSIGN(const std::string text, run_set(model, set));
    if (!text.empty()) return text;
  }
  return "";
}

std::string reason_of(const Error& error) {
  std::string out = error.code;
  for (const auto& [name, value] : error.args) {
    if (name == "op" || name == "reason" || name == "opset" || name == "found" || name == "domain")
      out += format(" {}={}", name, value);
  }
  return out;
}

Verdict judge(const fs::path& folder) {
  const Result<std::string> outcome = run_case(folder);
  if (!outcome) return {"refused", reason_of(outcome.error())};
  return outcome->empty() ? Verdict{"pass"} : Verdict{"wrong", *outcome};
}

std::string_view family_name(ops::Numerics numerics) {
  using enum ops::Numerics;
  switch (numerics) {
    case kExact: return "moves, compares, counts";
    case kElementwise: return "element-wise";
    case kTranscendental: return "transcendental";
    case kReduction: return "reductions, pooling";
    case kMatrix: return "products, convolutions";
    case kSoftmax: return "softmax";
    case kNormalization: return "normalization";
    case kGelu: return "gelu";
    case kCast: return "casts";
    case kQuantize: return "quantization";
    case kControl: return "control flow";
    case kRandom: return "random";
  }
  return "";
}

// By the first node that is no constant.
std::string family_of(const fs::path& folder) {
  const Result<ir::Model> model = formats::onnx::load(folder / "model.onnx");
  if (!model) return "unreadable";
  for (const ir::NodeId id : model->main().nodes) {
    const ir::Node& node = model->nodes[id];
    if (node.op == "Constant" && node.domain.empty() && model->main().nodes.size() > 1) continue;
    if (!node.domain.empty()) return node.domain;
    const ops::Operator* const op = ops::find_operator(node);
    return op ? std::string(family_name(op->numerics)) : "without a rule";
  }
  return "empty";
}

// In a process of its own: a fault of ours must not hide the other cases.
Verdict judge_apart(const fs::path& folder) {
  int ends[2];
  if (::pipe(ends) != 0) return {"error", "no pipe"};
  const ::pid_t child = ::fork();
  if (child == 0) {
    ::alarm(600);
    const std::string family = family_of(folder) + "\n";
    if (::write(ends[1], family.data(), family.size()) < 0) ::_exit(1);
    const Verdict verdict = judge(folder);
    const std::string text = verdict.kind + "\n" + verdict.reason;
    if (::write(ends[1], text.data(), text.size()) < 0) ::_exit(1);
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[4096];
  for (::ssize_t got; (got = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  const std::vector<std::string_view> lines = split(text, '\n');
  std::string family(lines.empty() ? "" : lines[0]);
  if (lines.size() < 2 || lines[1].empty())
    return {"crash", format("signal {}", WTERMSIG(status)), std::move(family)};
  const std::size_t reason = text.find('\n', family.size() + 1);
  return {std::string(lines[1]), text.substr(reason + 1), std::move(family)};
}

struct Options {
  std::vector<std::string> roots{};
  std::string only{};
  std::string exceptions{};
  bool verbose = false;
};

// Names of cases and why they do not pass.
std::map<std::string, std::string> read_exceptions(const std::string& path) {
  std::map<std::string, std::string> out;
  if (path.empty()) return out;
  const Result<std::string> text = read_file(path);
  for (const std::string_view line : split(text ? *text : std::string_view(), '\n')) {
    const std::size_t colon = line.find(':');
    if (line.starts_with('#') || colon == std::string_view::npos) continue;
    out[std::string(line.substr(0, colon))] = trim(line.substr(colon + 1));
  }
  return out;
}

struct Count {
  int passed = 0, known = 0, all = 0;
};

void print_counts(const std::map<std::string, Count>& families) {
  fmt::print("\n{:28} {:>7} {:>7} {:>7}\n", "family", "cases", "passed", "known");
  for (const auto& [family, count] : families)
    fmt::print("{:28} {:7} {:7} {:7}\n", family, count.all, count.passed, count.known);
}

std::vector<fs::path> find_cases(const Options& options) {
  std::vector<fs::path> out;
  for (const std::string& root : options.roots) {
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().filename() == "model.onnx" && contains(entry.path().string(), options.only))
        out.push_back(entry.path().parent_path());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

int run(const Options& options) {
  const std::map<std::string, std::string> exceptions = read_exceptions(options.exceptions);
  std::map<std::string, Count> families;
  Count total;
  for (const fs::path& folder : find_cases(options)) {
    Verdict verdict = judge_apart(folder);
    const auto known = exceptions.find(folder.filename().string());
    if (known != exceptions.end() && verdict.kind == "pass")
      verdict = {"fixed", format("take it out of {}", options.exceptions), verdict.family};
    else if (known != exceptions.end() && verdict.kind != "crash")
      verdict = {"known", known->second, verdict.family};
    for (Count* const count : {&families[verdict.family], &total}) {
      ++count->all;
      count->passed += verdict.kind == "pass";
      count->known += verdict.kind == "known";
    }
    if (verdict.kind != "pass" || options.verbose)
      fmt::print("{:8} {:60} {}\n", verdict.kind, folder.filename().string(), verdict.reason);
  }
  print_counts(families);
  const int failed = total.all - total.passed - total.known;
  fmt::print("{} passed, {} failed, {} skipped\n", total.passed, failed, total.known);
  return failed == 0 && total.all > 0 ? 0 : 1;
}

}  // namespace
}  // namespace godwit::tests

int main(int argc, char** argv) {
  godwit::tests::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--fast")
      godwit::tests::is_fast = true;
    else if (argument == "--verbose")
      options.verbose = true;
    else if (argument == "--only" && i + 1 < argc)
      options.only = argv[++i];
    else if (argument == "--except" && i + 1 < argc)
      options.exceptions = argv[++i];
    else
      options.roots.push_back(argument);
  }
  return godwit::tests::run(options);
}
