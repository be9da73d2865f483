// Do the models of the input keep their accuracy under the numerics of the chip?
#include "exec/verify.h"

#include <optional>

#include "base/file.h"
#include "base/text.h"
#include "diag/document.h"
#include "diag/messages.h"
#include "dossier/stage.h"
#include "exec/inspect.h"

namespace godwit::dossier::stages {
namespace {

// Drawn inputs need no user, but a run needs time: larger models are left to `godwit verify`.
constexpr std::int64_t kMostFlop = 10'000'000'000;
constexpr std::int64_t kMostWeights = std::int64_t{1} << 29;
constexpr std::int64_t kMostActivations = std::int64_t{1} << 31;

bool is_model(const project::File& file) { return file.kind == project::FileKind::kOnnx; }

// External weights have no kind of their own; they count by size and time.
bool is_read(const project::File& file) {
  const std::string_view path = file.path;
  return is_model(file) || path.ends_with(".data") || path.ends_with(".bin") ||
         path.ends_with(".weights");
}

diag::Finding left_out(const std::string& file, const std::string& reason) {
  return {.code = "C030",
          .severity = diag::Severity::kNote,
          .place = {.file = file},
          .args = {{"model", file}, {"reason", reason}}};
}

// Why a model is left to the command; nothing when it can run here.
std::optional<std::string> too_large(const Json& cost) {
  const auto bytes = [&](std::string_view key) {
    return human_bytes(static_cast<std::uint64_t>(cost[key].integer()));
  };
  const std::int64_t flop = cost["flop"].integer(), uncounted = cost["flop_uncounted"].integer();
  if (flop > kMostFlop) {
    return diag::text("large.flop", {{"gflop", format("{:.1f}", static_cast<double>(flop) / 1e9)}});
  }
  if (uncounted > 0) return diag::text("large.uncounted", {{"nodes", format("{}", uncounted)}});
  if (cost["weight_bytes"].integer() > kMostWeights)
    return diag::text("large.weights", {{"bytes", bytes("weight_bytes")}});
  if (cost["activation_bytes"].integer() > kMostActivations)
    return diag::text("large.activations", {{"bytes", bytes("activation_bytes")}});
  return std::nullopt;
}

Result<diag::Outcome> verify_one(const std::string& path, const std::string& to) {
  ASSIGN(const diag::Outcome cost, exec::inspect({.model = path}));
  if (const std::optional<std::string> reason = too_large(cost.summary))
    return fail("E174", {.file = path}, {{"reason", *reason}});
  return exec::verify({.model = path, .to = to, .fills_dims = true, .gate = "none"});
}

// What a report shows of one model; the layers lie in a file of their own.
Json figures_of(const std::string& file, const Json& summary) {
  Json out = Json::object();
  out.set("path", file);
  for (const std::string_view key : {"passed", "first_beyond", "causes", "riskiest"})
    out.set(key, summary[key]);
  Json outputs = Json::array();
  for (const Json& layer : summary["layers"].items()) {
    if (layer["output"].boolean()) outputs.add(layer);
  }
  out.set("outputs", std::move(outputs));
  return out;
}

Result<diag::Outcome> run(const Context& context) {
  diag::Outcome all{.command = "verify"};
  Json models = Json::array();
  for (const Input& input : context.subject.inputs) {
    if (!is_model(input.file)) continue;
    const std::string path = context.subject.locate(input);
    const std::string& file = input.file.path;
    Result<diag::Outcome> one = verify_one(path, context.option("to"));
    if (!one) {
      const Error& error = one.error();
      all.findings.push_back(
          left_out(file, diag::text(format("{}.title", error.code), error.args)));
      continue;
    }
    for (diag::Finding& finding : one->findings) {
      finding.place.file = file;
      all.findings.push_back(std::move(finding));
    }
    const std::string name = format("layers_{}.json", models.items().size() + 1);
    TRY(write_file(context.folder / name, one->summary["layers"].dump(1) + "\n", Sync::kLater));
    models.add(figures_of(file, one->summary));
    for (diag::Section& section : one->sections) {
      section.title = format("{}: {}", file, section.title);
      all.sections.push_back(std::move(section));
    }
  }
  all.summary.set("models", std::move(models));
  return all;
}

}  // namespace

extern const Stage verify = {
    .name = "verify",
    .order = 40,
    .options = {"to", "lang"},
    .reads = is_read,
    .applies = [](const Subject& subject) { return subject.has("onnx"); },
    .command =
        [](const Context& context) {
          std::string out;
          for (const Input& input : context.subject.inputs) {
            if (!is_model(input.file)) continue;
            if (!out.empty()) out += "; ";
            out += command_line(
                {"godwit", "verify", context.subject.locate(input), "--to", context.option("to")});
          }
          return out;
        },
    .run = run,
};

}  // namespace godwit::dossier::stages
