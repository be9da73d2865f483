// Chooses what a person must see of thousands of layers: outputs, the first beyond, the riskiest.
#include "exec/verify_report.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "compare/cause.h"
#include "compare/gate.h"
#include "diag/messages.h"

namespace godwit::exec {
namespace {

using compare::Layer;
using diag::Finding;
using diag::text;

constexpr std::size_t kMostLayers = 10;    // of a table of layers
constexpr std::size_t kMostFindings = 20;  // of layers with a cause that has a remedy

bool is_quiet(std::string_view code) {
  return std::any_of(
      compare::kCauses.begin(), compare::kCauses.end(),
      [&](const compare::Cause* cause) { return cause->code == code && cause->is_quiet; });
}

std::string brief(double number) { return format("{:.3g}", number); }

std::string cause_title(const Layer& layer) {
  return layer.cause.empty() ? text("verify.within") : text(format("{}.title", layer.cause));
}

std::string node_text(const Layer& layer) {
  if (layer.op.empty()) return layer.value;
  return layer.node.empty() ? format("{} → {}", layer.op, layer.value)
                            : format("{} \"{}\" → {}", layer.op, layer.node, layer.value);
}

class Report {
 public:
  explicit Report(const Verified& verified) : v_(verified), layers_(verified.comparison.layers()) {
    for (const Layer& layer : layers_) by_risk_.push_back(&layer);
    std::stable_sort(by_risk_.begin(), by_risk_.end(),
                     [](const Layer* a, const Layer* b) { return a->risk > b->risk; });
  }

  Result<diag::Outcome> make() {
    TRY(check_outputs());
    out_.command = "verify";
    add_head();
    add_outputs();
    add_spread();
    add_first();
    add_risks();
    add_causes();
    if (v_.request.lists_layers) add_layers();
    add_constants();
    add_findings();
    add_summary();
    return std::move(out_);
  }

 private:
  // An output without a partner, or of other sizes, makes every gate meaningless.
  Status check_outputs() const {
    for (const ir::ValueId value : v_.model.main().outputs) {
      if (value == ir::kNone) continue;
      const std::string name = to_valid_utf8(v_.model.values[value].name);
      const bool is_judged = std::any_of(layers_.begin(), layers_.end(), [&](const Layer& layer) {
        return layer.is_output && layer.value == name;
      });
      if (!is_judged) return fail("E173", {.file = v_.request.model}, {{"output", name}});
    }
    return {};
  }

  void add_head() {
    std::map<std::string, std::size_t> basis;
    for (const facts::NumericsCell& cell : v_.profile.chip->cells) ++basis[cell.basis];
    const auto count = [&](const char* name) { return format("{}", basis[name]); };
    const auto mode = v_.profile.options.keeps_fp32 ? "must_keep_origin_dtype" : "force_fp16";
    const auto stores = v_.profile.options.stores == Stores::kFused ? "fused" : "unfused";
    out_.sections.push_back(
        {.title = text("verify.head_title"),
         .lines = {text("verify.head_chip", {{"chip", v_.profile.name},
                                             {"mode", mode},
                                             {"stores", stores},
                                             {"reference", v_.request.reference}}),
                   text("verify.head_basis", {{"documented", count("documented")},
                                              {"derived", count("derived")},
                                              {"assumed", count("assumed")}}),
                   text("verify.head_inputs", {{"inputs", inputs()}}),
                   text("verify.head_layers",
                        {{"layers", with_thousands(layers_.size())},
                         {"skipped", with_thousands(v_.comparison.skipped().size())}})}});
  }

  std::string inputs() const {
    const std::string seed = format("{}", v_.request.seed);
    if (v_.request.inputs.empty()) return text("verify.drawn", {{"seed", seed}});
    const std::string given = join(v_.request.inputs, ", ");
    if (v_.drawn.empty()) return given;
    return text("verify.drawn_rest",
                {{"given", given}, {"names", join(v_.drawn, ", ")}, {"seed", seed}});
  }

  static std::vector<std::string> columns(std::string_view first) {
    return {text(first),
            text("compare.cosine"),
            text("compare.max_abs"),
            text("compare.relative_rmse"),
            text("compare.ulp"),
            text("compare.saturated"),
            text("verify.band")};
  }
  static std::vector<std::string> row(const Layer& layer, std::string name) {
    return {std::move(name),
            format("{:.6f}", layer.figure("cosine")),
            brief(layer.figure("max_abs")),
            brief(layer.figure("relative_rmse")),
            brief(layer.figure("ulp")),
            with_thousands(static_cast<std::uint64_t>(layer.figure("saturated"))),
            format("{} {}", layer.tier, brief(layer.band))};
  }

  void add_outputs() {
    diag::Section section{.title = text("verify.outputs_title"),
                          .columns = columns("verify.output_name")};
    for (const compare::Gate* const gate : compare::kGates)
      section.columns.push_back(text(format("compare.gate_{}", gate->name)));
    for (const Layer& layer : layers_) {
      if (!layer.is_output) continue;
      std::vector<std::string> cells = row(layer, layer.value);
      for (const compare::Gate* const gate : compare::kGates)
        cells.push_back(text(layer.passes(gate->name) ? "verify.pass" : "verify.fail"));
      section.rows.push_back(std::move(cells));
    }
    out_.sections.push_back(std::move(section));
  }

  // What is not published, as one band: orders of sums and store points together.
  void add_spread() {
    if (v_.spread.empty()) return;
    diag::Section section{.title = text("verify.spread_title"),
                          .columns = {text("verify.output_name"), text("compare.relative_rmse"),
                                      text("verify.spread_at")}};
    Json all = Json::array();
    for (const Spread& each : v_.spread) {
      const std::string name = to_valid_utf8(v_.model.values[each.output].name);
      section.rows.push_back({name, brief(each.distance), each.farthest});
      Json one = Json::object();
      one.set("output", name);
      one.set("distance", each.distance);
      one.set("farthest", each.farthest);
      all.add(std::move(one));
    }
    out_.sections.push_back(std::move(section));
    out_.summary.set("spread", std::move(all));
  }

  const Layer* first_beyond(std::string_view gate) const {
    const auto at = std::find_if(layers_.begin(), layers_.end(),
                                 [&](const Layer& layer) { return !layer.passes(gate); });
    return at == layers_.end() ? nullptr : &*at;
  }

  void add_first() {
    diag::Section section{.title = text("verify.first_title")};
    for (const compare::Gate* const gate : compare::kGates) {
      const Layer* const layer = first_beyond(gate->name);
      const auto beyond = std::count_if(layers_.begin(), layers_.end(), [&](const Layer& each) {
        return !each.passes(gate->name);
      });
      const Args args = {{"gate", text(format("compare.gate_{}", gate->name))},
                         {"layer", layer ? node_text(*layer) : ""},
                         {"count", with_thousands(static_cast<std::uint64_t>(beyond))},
                         {"cause", layer ? cause_title(*layer) : ""}};
      section.lines.push_back(text(layer ? "verify.first_line" : "verify.first_none", args));
    }
    out_.sections.push_back(std::move(section));
  }

  void add_table(std::string_view title, const std::vector<const Layer*>& rows) {
    diag::Section section{.title = text(title), .columns = columns("verify.layer")};
    section.columns.push_back(text("verify.cause"));
    for (const Layer* const layer : rows) {
      section.rows.push_back(row(*layer, node_text(*layer)));
      section.rows.back().push_back(cause_title(*layer));
    }
    out_.sections.push_back(std::move(section));
  }

  void add_risks() {
    std::vector<const Layer*> rows;
    for (const Layer* const layer : by_risk_) {
      if (layer->risk > 0 && rows.size() < kMostLayers) rows.push_back(layer);
    }
    if (!rows.empty()) add_table("verify.risk_title", rows);
  }

  void add_layers() {
    std::vector<const Layer*> rows;
    for (const Layer& layer : layers_) rows.push_back(&layer);
    add_table("verify.layers_title", rows);
  }

  std::map<std::string, std::size_t> causes() const {
    std::map<std::string, std::size_t> out;
    for (const Layer& layer : layers_) {
      if (!layer.cause.empty()) ++out[layer.cause];
    }
    return out;
  }

  void add_causes() {
    diag::Section section{.title = text("verify.causes_title"),
                          .columns = {text("verify.cause"), text("verify.layers_count")}};
    for (const auto& [code, count] : causes())
      section.rows.push_back(
          {format("{} {}", code, text(format("{}.title", code))), with_thousands(count)});
    if (!section.rows.empty()) out_.sections.push_back(std::move(section));
  }

  Finding finding(std::string_view code, diag::Severity severity, Args args) const {
    return {.code = std::string(code),
            .severity = severity,
            .place = {.file = v_.request.model},
            .args = std::move(args)};
  }

  // Constants are narrowed before anything runs: what they lose is lost in every layer behind.
  void add_constants() {
    for (const ir::ValueId value : v_.model.main().constants) {
      const kernels::Losses& lost = v_.npu.effect(value).losses;
      if (lost.overflows + lost.nans == 0) continue;
      Finding one = finding("C010", diag::Severity::kWarning,
                            {{"value", to_valid_utf8(v_.model.values[value].name)},
                             {"count", with_thousands(lost.overflows + lost.nans)},
                             {"chip", v_.profile.name}});
      out_.findings.push_back(std::move(one));
    }
  }

  Args figures(const Layer& layer) const {
    return {
        {"layer", node_text(layer)},
        {"value", layer.value},
        {"cosine", format("{:.6f}", layer.figure("cosine"))},
        {"max_abs", brief(layer.figure("max_abs"))},
        {"relative", brief(layer.figure("relative_rmse"))},
        {"summed", with_thousands(static_cast<std::uint64_t>(layer.summed))},
        {"count", with_thousands(std::max(layer.overflows + layer.nans,
                                          static_cast<std::uint64_t>(layer.figure("saturated") +
                                                                     layer.figure("non_finite"))))},
        {"chip", v_.profile.name}};
  }

  void add_findings() {
    for (const Layer& layer : layers_) {
      if (!layer.is_output) continue;
      for (const compare::Gate* const gate : compare::kGates) {
        if (layer.passes(gate->name)) continue;
        const bool decides = gate->name == v_.request.gate;
        out_.findings.push_back(finding(
            gate->code, decides ? diag::Severity::kError : diag::Severity::kNote, figures(layer)));
      }
    }
    std::size_t shown = 0;
    for (const Layer* const layer : by_risk_) {
      if (layer->cause.empty() || is_quiet(layer->cause) || layer->risk <= 0) continue;
      if (shown++ >= kMostFindings) break;
      out_.findings.push_back(finding(layer->cause, diag::Severity::kWarning, figures(*layer)));
    }
  }

  void add_summary() {
    Json& summary = out_.summary;
    summary.set("model", v_.request.model);
    if (!v_.request.against.empty()) summary.set("against", v_.request.against);
    summary.set("chip", v_.profile.name);
    summary.set("reference", v_.request.reference);
    summary.set("gate", v_.request.gate);
    Json passed = Json::object();
    for (const compare::Gate* const gate : compare::kGates) {
      passed.set(gate->name, std::all_of(layers_.begin(), layers_.end(), [&](const Layer& layer) {
                   return !layer.is_output || layer.passes(gate->name);
                 }));
    }
    summary.set("passed", std::move(passed));
    Json first = Json::object();
    for (const compare::Gate* const gate : compare::kGates) {
      const Layer* const layer = first_beyond(gate->name);
      if (layer) first.set(gate->name, layer->value);
    }
    summary.set("first_beyond", std::move(first));
    Json counts = Json::object();
    for (const auto& [code, count] : causes()) counts.set(code, count);
    summary.set("causes", std::move(counts));
    Json risks = Json::array();
    for (std::size_t i = 0; i < std::min(kMostLayers, by_risk_.size()); ++i)
      risks.add(by_risk_[i]->value);
    summary.set("riskiest", std::move(risks));
    Json all = Json::array();
    for (const Layer& layer : layers_) all.add(to_json(layer));
    summary.set("layers", std::move(all));
  }

  const Verified& v_;
  const std::vector<Layer>& layers_;
  std::vector<const Layer*> by_risk_;
  diag::Outcome out_;
};

}  // namespace

Result<diag::Outcome> report(const Verified& verified) { return Report(verified).make(); }

}  // namespace godwit::exec
