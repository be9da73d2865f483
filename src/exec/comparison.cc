// Turns pairs of tensors into layers: place in the graph, depth, length of sums, figures.
#include "exec/comparison.h"

#include <algorithm>

#include "base/text.h"
#include "ir/subgraphs.h"
#include "ops/operator.h"
#include "ops/walk.h"

namespace godwit::exec {
namespace {

using ir::Datum;
using ir::ElementType;
using ops::Numerics;

std::string_view name_of(Tier tier) {
  switch (tier) {
    case Tier::kExact: return "T0";
    case Tier::kBounded: return "T1";
    case Tier::kStatistical: return "T2";
  }
  return "T2";
}

/// Adds to `out` the longest chain of roundings to each value: one for each node that computes. A
/// node with graphs of its own counts as the longest of them, which takes values from outside too.
void add_depths(const ir::Model& model, const ir::Graph& graph, std::vector<std::size_t>& out) {
  for (const ir::NodeId id : graph.nodes) {
    const ir::Node& node = model.nodes[id];
    const ops::Operator* const op = ops::find_operator(node);
    std::size_t depth = 0;
    for (const ir::ValueId input : node.inputs) {
      if (input != ir::kNone) depth = std::max(depth, out[input]);
    }
    if (op && op->numerics != Numerics::kExact) ++depth;
    for (const ir::GraphId inner : ir::subgraphs(node)) {
      add_depths(model, model.graphs[inner], out);
      for (const ir::ValueId value : model.graphs[inner].outputs) {
        if (value != ir::kNone) depth = std::max(depth, out[value]);
      }
    }
    for (const ir::ValueId output : node.outputs) {
      if (output != ir::kNone) out[output] = depth;
    }
  }
}

std::vector<std::size_t> depths(const ir::Model& model) {
  std::vector<std::size_t> out(model.values.size(), 0);
  add_depths(model, model.main(), out);
  return out;
}

/// How many products or terms make one element.
std::int64_t summed(const ir::Node& node, Numerics numerics, const ir::Sizes& first,
                    const ir::Sizes& second, const ir::Sizes& made) {
  const auto all = [](const ir::Sizes& dims) { return ops::product(dims, 0, dims.size()); };
  if (numerics == Numerics::kReduction) return all(made) > 0 ? all(first) / all(made) : 0;
  if (numerics != Numerics::kMatrix || first.empty() || second.empty()) return 0;
  // Filters are [M, C / group, kernel …]; of products the last axis of the left side is summed.
  return contains(node.op, "Conv") ? ops::product(second, 1, second.size()) : first.back();
}

}  // namespace

Comparison::Comparison(const ir::Model& model, const Npu& npu)
    : model_(model),
      npu_(npu),
      is_output_(model.values.size(), false),
      depth_(depths(model)),
      unit_(model.values.size(), 0),
      error_(model.values.size(), 0),
      sizes_(model.values.size()) {
  for (const ir::ValueId value : model.main().outputs) {
    if (value != ir::kNone) is_output_[value] = true;
  }
}

compare::Layer Comparison::describe(ir::ValueId value) {
  const ir::Value& row = model_.values[value];
  const Effect& effect = npu_.effect(value);
  compare::Layer out{.value = to_valid_utf8(row.name),
                     .is_output = is_output_[value],
                     .depth = depth_[value],
                     .overflows = effect.losses.overflows,
                     .nans = effect.losses.nans,
                     .band = effect.band,
                     .tier = std::string(name_of(effect.tier))};
  out.narrow_accumulator = npu_.accumulates_in_fp16();
  if (row.producer == ir::kNone) return out;
  const ir::Node& node = model_.nodes[row.producer];
  const ops::Operator* const op = ops::find_operator(node);
  out.op = to_valid_utf8(node.op);
  out.node = to_valid_utf8(node.name);
  out.numerics = op ? op->numerics : Numerics::kExact;
  const auto sizes = [&](std::size_t i) {
    const bool is_there = i < node.inputs.size() && node.inputs[i] != ir::kNone;
    if (!is_there) return ir::Sizes();
    const ir::Tensor* const constant = model_.constant(node.inputs[i]);
    return constant ? constant->dims() : sizes_[node.inputs[i]];
  };
  out.summed = summed(node, out.numerics, sizes(0), sizes(1), sizes_[value]);
  const auto take = [&](const std::vector<ir::ValueId>& values) {
    for (const ir::ValueId each : values) {
      if (each == ir::kNone) continue;
      out.input_error = std::max(out.input_error, error_[each]);
      out.unit = std::max(out.unit, unit_[each]);
    }
  };
  take(node.inputs);
  // What a branch or a body makes, the node hands on.
  for (const ir::GraphId inner : ir::subgraphs(node)) take(model_.graphs[inner].outputs);
  if (out.numerics == Numerics::kMatrix) out.unit = std::max(out.unit, npu_.operand_roundoff());
  return out;
}

Status Comparison::add(const Match& match, const Datum& reference, const Datum& found) {
  const bool are_tensors = reference.is_tensor() && found.is_tensor();
  const auto a = are_tensors ? compare::numbers(reference.tensor) : std::nullopt;
  const auto b = are_tensors ? compare::numbers(found.tensor) : std::nullopt;
  if (!a || !b || reference.tensor.dims() != found.tensor.dims()) {
    skipped_.push_back(match.found);
    return {};
  }
  sizes_[match.found] = found.tensor.dims();
  const bool is_real = is_floating(found.tensor.type());
  if (!is_real && *a == *b && !is_output_[match.found]) return {};
  compare::Layer layer = describe(match.found);
  const ElementType stored = npu_.stored_as(match.found, found.tensor.type());
  layer.unit = std::max(layer.unit, compare::unit_roundoff(stored));
  unit_[match.found] = layer.unit;
  judge({.reference = *a, .found = *b, .stored = stored}, layer);
  error_[match.found] = layer.figure("relative_rmse");
  layers_.push_back(std::move(layer));
  return {};
}

}  // namespace godwit::exec
