// Tables of what a model takes, gives, computes and holds.
#include "exec/inspect.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/text.h"
#include "diag/messages.h"
#include "exec/budget.h"
#include "exec/feed.h"
#include "formats/onnx/import.h"
#include "formats/onnx/write.h"
#include "ir/print.h"
#include "ops/infer.h"
#include "ops/inline.h"

namespace godwit::exec {
namespace {

using diag::text;

// "15.2 MFLOP": three digits that say something, whatever the size of the model.
std::string human_flop(std::int64_t flop) {
  double number = static_cast<double>(flop);
  std::size_t unit = 0;
  constexpr std::array<std::string_view, 5> kUnits = {"", "k", "M", "G", "T"};
  while (number >= 1000 && unit + 1 < kUnits.size()) {
    number /= 1000;
    ++unit;
  }
  return unit == 0 ? format("{} FLOP", flop) : format("{:.3g} {}FLOP", number, kUnits[unit]);
}

class Inspector {
 public:
  Inspector(const ir::Model& model, Bindings dims, std::vector<std::string> assumed)
      : model_(model), dims_(std::move(dims)), assumed_(std::move(assumed)) {}

  diag::Outcome outcome() {
    out_.command = "inspect";
    add_head();
    add_interface("inspect.inputs_title", "inputs", model_.main().inputs);
    add_interface("inspect.outputs_title", "outputs", model_.main().outputs);
    add_operators();
    add_memory();
    return std::move(out_);
  }

 private:
  void add_head() {
    std::string opsets;
    Json all = Json::object();
    for (const ir::Opset& opset : model_.opsets) {
      const std::string domain = opset.domain.empty() ? "ai.onnx" : to_valid_utf8(opset.domain);
      opsets += format("{}{} {}", opsets.empty() ? "" : ", ", domain, opset.version);
      all.set(domain, opset.version);
    }
    std::size_t nodes = 0;
    for (const ir::Graph& graph : model_.graphs) nodes += graph.nodes.size();
    diag::Section section{
        .title = text("inspect.head_title"),
        .lines = {text("inspect.head_line", {{"opsets", opsets},
                                             {"ir", format("{}", model_.ir_version)},
                                             {"nodes", with_thousands(nodes)},
                                             {"graphs", format("{}", model_.graphs.size())}})}};
    if (!model_.producer.empty()) {
      section.lines.push_back(
          text("inspect.head_producer", {{"producer", to_valid_utf8(model_.producer)}}));
    }
    const std::vector<std::string> open = open_dims(model_);
    Json dims = Json::array();
    for (const std::string& name : open) dims.add(to_valid_utf8(name));
    if (!open.empty()) {
      section.lines.push_back(
          text("inspect.head_open", {{"dims", to_valid_utf8(join(open, ", "))}}));
    }
    out_.sections.push_back(std::move(section));
    out_.summary.set("opsets", std::move(all));
    out_.summary.set("nodes", nodes);
    out_.summary.set("open_dims", std::move(dims));
  }

  void add_interface(std::string_view title, std::string_view key,
                     const std::vector<ir::ValueId>& values) {
    diag::Section section{.title = text(title),
                          .columns = {text("inspect.name"), text("inspect.type")}};
    Json all = Json::array();
    for (const ir::ValueId value : values) {
      if (value == ir::kNone) continue;
      const ir::Value& row = model_.values[value];
      const std::string name = to_valid_utf8(row.name), type = to_valid_utf8(to_string(row.type));
      section.rows.push_back(
          {name, row.constant ? text("inspect.has_default", {{"type", type}}) : type});
      all.add(Json::object().set("name", name).set("type", type));
    }
    out_.summary.set(key, std::move(all));
    if (!section.rows.empty()) out_.sections.push_back(std::move(section));
  }

  void add_operators() {
    const auto costs = operator_costs(model_, dims_);
    std::vector<std::pair<std::string, OperatorCost>> rows(costs.begin(), costs.end());
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
      return std::pair(b.second.flop, b.second.nodes) < std::pair(a.second.flop, a.second.nodes);
    });
    diag::Section section{.title = text("inspect.operators_title"),
                          .columns = {text("inspect.operator"), text("inspect.nodes"),
                                      text("inspect.gflop"), text("inspect.note")}};
    Json all = Json::array();
    for (const auto& [name, cost] : rows) {
      uncounted_ += cost.uncounted;
      if (__builtin_add_overflow(flop_, cost.flop, &flop_)) {
        flop_ = std::numeric_limits<std::int64_t>::max();
        uncounted_ += cost.nodes;
      }
      const std::string note = !cost.is_known ? text("inspect.unknown_operator") : "";
      section.rows.push_back(
          {name, with_thousands(cost.nodes), cost.flop ? human_flop(cost.flop) : "", note});
      all.add(Json::object()
                  .set("operator", name)
                  .set("nodes", cost.nodes)
                  .set("flop", cost.flop)
                  .set("uncounted", cost.uncounted)
                  .set("known", cost.is_known));
    }
    out_.summary.set("operators", std::move(all));
    out_.sections.push_back(std::move(section));
  }

  void add_memory() {
    const Weights held = weights(model_);
    const Activations live = plan_activations(model_, dims_);
    const double ratio =
        live.plan.lower_bound == 0
            ? 1
            : static_cast<double>(live.plan.bytes) / static_cast<double>(live.plan.lower_bound);
    diag::Section section{.title = text("inspect.cost_title")};
    section.lines = {text("inspect.cost_weights", {{"parameters", with_thousands(held.parameters)},
                                                   {"bytes", human_bytes(held.bytes)}}),
                     text("inspect.cost_flop",
                          {{"flop", human_flop(flop_)}, {"uncounted", with_thousands(uncounted_)}}),
                     text("inspect.cost_memory", {{"planned", human_bytes(live.plan.bytes)},
                                                  {"bound", human_bytes(live.plan.lower_bound)},
                                                  {"ratio", format("{:.3f}", ratio)},
                                                  {"values", with_thousands(live.values)},
                                                  {"left_out", with_thousands(live.left_out)}})};
    if (!assumed_.empty()) {
      section.lines.push_back(
          text("inspect.cost_assumed", {{"dims", to_valid_utf8(join(assumed_, ", "))}}));
    }
    out_.sections.push_back(std::move(section));
    Json& summary = out_.summary;
    summary.set("parameters", held.parameters);
    summary.set("weight_bytes", held.bytes);
    summary.set("flop", flop_);
    summary.set("flop_uncounted", uncounted_);
    summary.set("activation_bytes", live.plan.bytes);
    summary.set("activation_lower_bound", live.plan.lower_bound);
    summary.set("activation_values", live.values);
    summary.set("activation_left_out", live.left_out);
  }

  const ir::Model& model_;
  Bindings dims_;
  std::vector<std::string> assumed_;
  diag::Outcome out_;
  std::int64_t flop_ = 0;
  std::size_t uncounted_ = 0;
};

}  // namespace

Result<diag::Outcome> inspect(const InspectRequest& request) {
  ASSIGN(ir::Model model, formats::onnx::load(request.model));
  std::optional<ir::Model> as_written;  // with its functions
  if (!model.functions.empty()) as_written = model;
  TRY(ops::inline_functions(model));
  TRY(ops::infer(model));
  if (as_written) TRY(ops::infer(*as_written));
  const ir::Model& shown = as_written ? *as_written : model;
  ASSIGN(Bindings dims, parse_dims(model, request.dims));
  std::vector<std::string> assumed;
  for (const std::string& name : open_dims(model)) {
    const bool is_given =
        std::any_of(dims.begin(), dims.end(), [&](const auto& each) { return each.first == name; });
    if (is_given) continue;
    assumed.push_back(name + "=1");
    dims.emplace_back(name, 1);
  }
  diag::Outcome out = Inspector(model, std::move(dims), std::move(assumed)).outcome();
  if (request.graph) {
    diag::Section section{.title = text("inspect.graph_title")};
    const std::string graph = print(shown, ir::Detail::kBrief);
    for (const std::string_view line : split(graph, '\n'))
      section.lines.push_back(to_valid_utf8(line));
    out.sections.push_back(std::move(section));
  }
  // Weights stay where they are in memory; Netron shows what is inferred beside what was there.
  if (!request.annotated.empty()) TRY(formats::onnx::write(shown, request.annotated));
  return out;
}

}  // namespace godwit::exec
