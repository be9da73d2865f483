// What the plug-ins of ATC demand of a node beyond the standard: attributes, ranks, inputs.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "diag/messages.h"
#include "scan/node_rule.h"

namespace godwit::scan::nodes {
namespace {

bool is_listed(std::string_view word, std::string_view list) {
  const auto items = split_list(list);
  return std::find(items.begin(), items.end(), word) != items.end();
}

bool lacks_an_attribute(const NodeView& node, std::string_view names) {
  const auto list = split_list(names);
  return std::any_of(list.begin(), list.end(),
                     [&](std::string_view name) { return !node.has_attribute(name); });
}

bool lacks_all_attributes(const NodeView& node, std::string_view names) {
  const auto list = split_list(names);
  return std::none_of(list.begin(), list.end(),
                      [&](std::string_view name) { return node.has_attribute(name); });
}

template <std::size_t kSpatialOffset>
bool other_rank(const NodeView& node, std::string_view ranks) {
  const auto rank = node.rank(0);
  if (!rank || *rank < kSpatialOffset) return false;
  // The parser adds and removes a dimension for these.
  const auto& forms = node.group.verdict.forms;
  const bool takes_1d = std::any_of(forms.begin(), forms.end(), [](const facts::ParserForm& form) {
    return form.condition.starts_with("1-D");
  });
  if (*rank == 3 && takes_1d) return false;
  return !is_listed(format("{}", *rank - kSpatialOffset), ranks);
}

bool no_3d(const NodeView& node, std::string_view soc) {
  return node.scene.soc().short_name == soc && node.rank(0) == std::size_t{5};
}

bool other_input_count(const NodeView& node, std::string_view counts) {
  const std::size_t have = node.inputs().size();
  const auto number = [](std::string_view text) {
    return static_cast<std::size_t>(parse_integer(text).value_or(0));
  };
  if (counts.starts_with(">=")) return have < number(counts.substr(2));
  if (counts.starts_with(">")) return have <= number(counts.substr(1));
  if (!parse_integer(counts.substr(0, 1))) return false;  // names of inputs
  return !is_listed(format("{}", have), counts);
}

template <std::size_t kCount>
bool has_output(const NodeView& node, std::string_view) {
  return node.output(kCount) != nullptr;
}

// "1(i8)_only", "0_only"
template <const char* kName, std::int64_t kDefault>
bool other_number(const NodeView& node, std::string_view value) {
  const auto wanted = parse_integer(value.substr(0, value.find_first_not_of("0123456789")));
  return wanted && node.integer(kName, kDefault) != *wanted;
}

template <const char* kName>
bool other_length(const NodeView& node, std::string_view value) {
  const std::vector<std::int64_t> list = node.integers(kName);
  return !list.empty() && parse_integer(value) != static_cast<std::int64_t>(list.size());
}

template <const char* kName, const char* kDefault>
bool other_word(const NodeView& node, std::string_view words) {
  return !is_listed(node.text(kName, kDefault), words);
}

bool other_auto_pad_in_3d(const NodeView& node, std::string_view value) {
  return node.rank(0) == std::size_t{5} &&
         !is_listed(node.text("auto_pad", "NOTSET"), value.substr(value.find('=') + 1));
}

bool other_dtype(const NodeView& node, std::string_view codes) {
  if (!node.has_attribute("dtype")) return false;
  const auto type = static_cast<onnx::ElementType>(node.integer("dtype", 1));
  return !is_listed(code(type), codes);
}

bool no_clip_bounds(const NodeView& node, std::string_view) {
  return node.group.judged_opset >= 11 && !node.has_input(1) && !node.has_input(2);
}

bool indivisible(const NodeView& node, std::string_view) {
  const std::int64_t parts = node.integer("num_outputs", 0);
  const onnx::Value* const x = node.input(0);
  if (parts <= 0 || !x || !x->type.has_shape) return false;
  const auto dims = node.shape(*x);
  const std::int64_t axis = node.integer("axis", 0);
  const auto at =
      static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(dims.size()) : axis);
  return at < dims.size() && dims[at].size > 0 && dims[at].size % parts != 0;
}

bool other_selu(const NodeView& node, std::string_view) {
  const auto differs = [&](std::string_view name, float usual) {
    return std::abs(node.scene.model.number(node.node, name, usual) - usual) > 1e-4f;
  };
  return differs("alpha", 1.6732632f) || differs("gamma", 1.0507010f);
}

constexpr char kAutoPad[] = "auto_pad", kNotSet[] = "NOTSET", kMode[] = "mode",
               kNearest[] = "nearest", kLastIndex[] = "select_last_index",
               kStorage[] = "storage_order", kBatchDims[] = "batch_dims", kDstType[] = "dst_type",
               kPads[] = "pads", kDilations[] = "dilations", kStrides[] = "strides",
               kOutputSize[] = "output_size";

struct Demand {
  std::string_view rule;
  bool (*broken)(const NodeView&, std::string_view value);
};

// By the name of the demand in ops/onnx.tsv; those that are not here cannot be checked from
// outside.
constexpr Demand kDemands[] = {
    {"5d", other_auto_pad_in_3d},
    {"alpha_gamma_default_only", other_selu},
    {"auto_pad", other_word<kAutoPad, kNotSet>},
    {"batch_dims", other_number<kBatchDims, 0>},
    {"blocksize",
     [](const NodeView& n, std::string_view) { return n.integer("blocksize", 2) < 2; }},
    {"dilations_len", other_length<kDilations>},
    {"dim_divisible_by_split", indivisible},
    {"dst_type", other_number<kDstType, 2>},
    {"dtype", other_dtype},
    {"input_rank", other_rank<0>},
    {"inputs", other_input_count},
    {"min_or_max_required", no_clip_bounds},
    {"mode", other_word<kMode, kNearest>},
    {"needs_all_5_inputs", [](const NodeView& n, std::string_view) { return !n.has_input(4); }},
    {"needs_attr", lacks_an_attribute},
    {"needs_one_of", lacks_all_attributes},
    {"no_3d_on", no_3d},
    {"no_Indices_output", has_output<1>},
    {"out_dtype", other_dtype},
    {"output_size_len", other_length<kOutputSize>},
    {"pads_len", other_length<kPads>},
    {"pads_len_even",
     [](const NodeView& n, std::string_view) { return n.integers("pads").size() % 2 != 0; }},
    {"reduction",
     [](const NodeView& n, std::string_view) { return n.text("reduction", "none") == "mul"; }},
    {"select_last_index", other_number<kLastIndex, 0>},
    {"size_odd", [](const NodeView& n, std::string_view) { return n.integer("size", 1) % 2 == 0; }},
    {"spatial_rank", other_rank<2>},
    {"storage_order", other_number<kStorage, 0>},
    {"strides_len", other_length<kStrides>},
};

// "0_only" → "0"; "2(i8)_only" → "2".
std::string shown(std::string_view value) {
  return replace_all(value.substr(0, value.find_first_of("(_")), "|", ", ");
}

void judge(const NodeView& node, NodeFindings& out) {
  if (!node.group.verdict.opset_fits) return;
  for (const facts::Restriction& demand : node.group.verdict.restrictions) {
    const auto* const known =
        std::find_if(std::begin(kDemands), std::end(kDemands),
                     [&](const Demand& row) { return row.rule == demand.rule; });
    if (known == std::end(kDemands) || !known->broken(node, demand.value)) continue;
    const std::string key = format("onnx_demand.{}", demand.rule);
    const bool is_number = demand.value.ends_with("_only");
    const std::string value =
        is_number ? shown(demand.value) : replace_all(demand.value, "|", ", ");
    out.add(node, {{"demand", diag::text(key, {{"value", value}})}});
  }
}

}  // namespace

extern const NodeRule parser_demand = {
    .code = "S107",
    .severity = diag::Severity::kError,
    .node = judge,
};

}  // namespace godwit::scan::nodes
