// The scan of an ONNX model: read, judge, let the rules speak, add up.
#include "scan/onnx.h"

#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "diag/messages.h"
#include "formats/onnx/external.h"
#include "scan/atc.h"
#include "scan/onnx_scene.h"

namespace godwit::scan {
namespace {

bool concerns(const NodeRule& rule, const NodeGroup& group) {
  if (rule.ops.empty()) return true;
  return group.domain.empty() &&
         std::find(rule.ops.begin(), rule.ops.end(), group.op) != rule.ops.end();
}

std::vector<diag::Finding> apply(const NodeRule& rule, const OnnxScene& scene) {
  NodeFindings findings(rule, scene);
  if (rule.model) rule.model(scene, findings);
  for (const NodeGroup& group : scene.groups) {
    if (!concerns(rule, group)) continue;
    if (rule.group) rule.group(scene, group, findings);
    if (!rule.node) continue;
    for (const onnx::Index node : group.nodes) {
      rule.node({scene, group, scene.model.nodes[node]}, findings);
    }
  }
  return findings.take();
}

void count_nodes(const OnnxScene& scene, OnnxFigures& out) {
  for (const NodeGroup& group : scene.groups) {
    const std::size_t count = group.nodes.size();
    out.nodes += count;
    ++out.operators;
    if (group.tier == facts::Tier::kDirect) ++out.operators_direct;
    if (group.tier == facts::Tier::kUnknown) ++out.operators_unknown;
    switch (group.tier) {
      case facts::Tier::kDirect: out.direct += count; break;
      case facts::Tier::kCustomKernel: out.custom_kernel += count; break;
      case facts::Tier::kDecompose: out.decompose += count; break;
      case facts::Tier::kUnsupported: out.unsupported += count; break;
      case facts::Tier::kUnknown: out.unknown += count; break;
    }
    if (group.tier != facts::Tier::kDirect) continue;
    if (group.verdict.cann_op.empty()) out.built_by_parser += count;
    if (group.verdict.verdict == facts::Verdict::kAicpu) out.on_aicpu += count;
  }
}

OnnxFigures figures_of(const OnnxScene& scene) {
  OnnxFigures out;
  count_nodes(scene, out);
  const onnx::Model& model = scene.model;
  out.graphs = model.graphs.size() - model.functions.size();
  out.functions = model.functions.size();
  out.parameters = scene.memory.parameters;
  out.weight_bytes = scene.memory.weight_bytes;
  out.fp16_bytes = scene.memory.fp16_bytes;
  out.external_bytes = scene.memory.external_bytes;
  out.activation_bytes = scene.memory.peak_bytes;
  out.memory_bytes = scene.target.memory();
  out.values = scene.memory.values;
  out.unknown_shapes = scene.memory.unknown_shapes;
  out.left_out = scene.memory.left_out;
  out.opset = scene.opset;
  const ShapeForm form = shape_form(scene);
  out.atc_command = atc_command(scene, form == ShapeForm::kUnknown ? ShapeForm::kStatic : form);
  return out;
}

Json weights_json(const OnnxMemory& memory) {
  Json out = Json::object();
  for (const auto& [dtype, kind] : memory.by_dtype) {
    out.set(dtype, Json::Object{{"elements", kind.elements}, {"bytes", kind.bytes}});
  }
  return out;
}

Json operators_json(const OnnxScene& scene) {
  Json out = Json::object();
  for (const NodeGroup& group : scene.groups) {
    out.set(to_valid_utf8(group.optype()),
            Json::Object{{"nodes", group.nodes.size()},
                         {"tier", facts::to_string(group.tier)},
                         {"verdict", facts::to_string(group.verdict.verdict)}});
  }
  return out;
}

Json to_json(const OnnxScene& scene, const OnnxFigures& f) {
  return Json::Object{
      {"path", scene.model.path},
      {"opset", f.opset},
      {"nodes", f.nodes},
      {"tiers", Json::Object{{"direct", f.direct},
                             {"custom_kernel", f.custom_kernel},
                             {"decompose", f.decompose},
                             {"unsupported", f.unsupported},
                             {"unknown", f.unknown}}},
      {"built_by_parser", f.built_by_parser},
      {"on_aicpu", f.on_aicpu},
      {"graphs", f.graphs},
      {"functions", f.functions},
      {"parameters", f.parameters},
      {"weights", weights_json(scene.memory)},
      {"memory", Json::Object{{"weights", f.weight_bytes},
                              {"weights_fp16", f.fp16_bytes},
                              {"external", f.external_bytes},
                              {"activations_peak", f.activation_bytes},
                              {"device", f.memory_bytes}}},
      {"values", f.values},
      {"unknown_shapes", f.unknown_shapes},
      {"values_left_out", f.left_out},
      {"atc", f.atc_command},
      {"operators", operators_json(scene)},
  };
}

std::string share(std::size_t part, std::size_t whole) {
  return format("{:.1f} %",
                whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0);
}

std::vector<diag::Section> sections_of(const OnnxScene& scene, const OnnxFigures& f) {
  diag::Section nodes{.title = diag::text("scan_onnx.nodes", {{"path", scene.model.path}})};
  for (const char* const column : {"tier", "count", "share"}) {
    nodes.columns.push_back(diag::text(format("scan_onnx.column_{}", column)));
  }
  const auto row = [&](const char* key, std::size_t count) {
    const std::string title = diag::text(format("scan_onnx.{}", key));
    nodes.rows.push_back({title, with_thousands(count), share(count, f.nodes)});
  };
  row("direct", f.direct);
  row("custom_kernel", f.custom_kernel);
  row("decompose", f.decompose);
  row("unsupported", f.unsupported);
  row("unknown", f.unknown);
  diag::Section model{.title = diag::text("scan_onnx.model")};
  const Args args = {
      {"parameters", with_thousands(f.parameters)},
      {"stored", human_bytes(f.weight_bytes)},
      {"fp16", human_bytes(f.fp16_bytes)},
      {"external", human_bytes(f.external_bytes)},
      {"activations", human_bytes(f.activation_bytes)},
      {"card", f.memory_bytes ? human_bytes(f.memory_bytes) : diag::text("scan_onnx.unknown")},
      {"left_out", with_thousands(f.left_out)},
      {"values", with_thousands(f.values)},
      {"aicpu", with_thousands(f.on_aicpu)},
      {"built", with_thousands(f.built_by_parser)}};
  for (const char* const line : {"line_parser", "line_weights", "line_memory"}) {
    model.lines.push_back(diag::text(format("scan_onnx.{}", line), args));
  }
  // One column is not broken: the command can be copied.
  diag::Section convert{.title = diag::text("scan_onnx.convert"),
                        .columns = {"# " + diag::text("scan_onnx.convert_where")},
                        .rows = {{f.atc_command}}};
  return {std::move(nodes), std::move(model), std::move(convert)};
}

}  // namespace

Result<OnnxReport> scan_onnx(const std::filesystem::path& path, const facts::Target& target,
                             const OnnxOptions& options) {
  ASSIGN(const onnx::Model model, onnx::read(path));
  ASSIGN(OnnxScene scene, make_scene(model, target, options.cann));
  ASSIGN(scene.external, onnx::external_files(model, path.parent_path()));
  scene.file_bytes = model.file->bytes().size();
  scene.memory = measure_memory(model);
  OnnxReport report;
  for (const NodeRule* const rule : kNodeRules) {
    for (diag::Finding& finding : apply(*rule, scene))
      report.findings.push_back(std::move(finding));
  }
  diag::sort(report.findings);
  report.figures = figures_of(scene);
  report.summary = to_json(scene, report.figures);
  report.sections = sections_of(scene, report.figures);
  return report;
}

}  // namespace godwit::scan
