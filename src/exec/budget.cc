// Sums over the graph, by the types that inference gave.
#include "exec/budget.h"

#include <algorithm>

#include "base/text.h"
#include "exec/liveness.h"
#include "ops/inference.h"
#include "ops/operator.h"

namespace godwit::exec {
namespace {

std::string operator_name(const ir::Node& node) {
  const std::string name = to_valid_utf8(node.op);
  return node.domain.empty() ? name : format("{}::{}", to_valid_utf8(node.domain), name);
}

// The cost of one node as its operator states it; nothing when a size is not known.
std::optional<std::int64_t> flop_of(const ir::Model& model, const ops::Operator& op,
                                    const ir::Node& node, const Bindings& dims) {
  if (!op.flop) return 0;
  std::vector<ops::Known> inputs;
  for (const ir::ValueId value : node.inputs) {
    if (value == ir::kNone) {
      inputs.emplace_back();
    } else {
      inputs.push_back({.type = model.values[value].type, .constant = model.constant(value)});
    }
  }
  ops::Inference inference(op, node, std::move(inputs));
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] != ir::kNone) inference.set(i, model.values[node.outputs[i]].type);
  }
  const auto flop = op.flop(inference).evaluate(dims);
  // Below zero: the numbers given for open dimensions are too small for a window of this model.
  return flop && *flop < 0 ? std::nullopt : flop;
}

}  // namespace

std::map<std::string, OperatorCost> operator_costs(const ir::Model& model, const Bindings& dims) {
  std::map<std::string, OperatorCost> out;
  for (const ir::Graph& graph : model.graphs) {
    for (const ir::NodeId id : graph.nodes) {
      const ir::Node& node = model.nodes[id];
      OperatorCost& cost = out[operator_name(node)];
      ++cost.nodes;
      const ops::Operator* const op = ops::find_operator(node);
      cost.is_known = cost.is_known && (op != nullptr || model.function(node) != nullptr);
      const auto flop = op ? flop_of(model, *op, node, dims) : std::nullopt;
      if (!flop || __builtin_add_overflow(cost.flop, *flop, &cost.flop)) ++cost.uncounted;
    }
  }
  return out;
}

Weights weights(const ir::Model& model) {
  Weights out;
  const auto add = [&](const ir::Tensor& tensor) {
    out.parameters += static_cast<std::uint64_t>(tensor.count());
    out.bytes += static_cast<std::uint64_t>(tensor.count()) * ir::bits(tensor.type()) / 8;
  };
  for (const ir::Graph& graph : model.graphs) {
    for (const ir::ValueId value : graph.constants) {
      const auto& constant = model.values[value].constant;
      if (!constant) continue;
      add(*constant);
    }
    // Weights also stand in Constant nodes: some exporters write all of them so.
    for (const ir::NodeId id : graph.nodes) {
      const ir::Node& node = model.nodes[id];
      if (node.op != "Constant" || !node.domain.empty()) continue;
      for (const ir::Attribute& attribute : node.attributes) {
        const auto* const tensor = std::get_if<std::shared_ptr<const ir::Tensor>>(&attribute.value);
        if (tensor && *tensor) add(**tensor);
      }
    }
  }
  return out;
}

std::optional<std::uint64_t> bytes_of(const ir::Type& type, const Bindings& dims) {
  const std::uint32_t width = ir::bytes_in_memory(type.element);
  if (!type.is_tensor() || !type.shape || width == 0) return std::nullopt;
  std::int64_t out = width;
  for (const ir::Dim dim : *type.shape) {
    const auto size = dim.evaluate(dims);
    if (!size || *size < 0 || __builtin_mul_overflow(out, *size, &out)) return std::nullopt;
  }
  return static_cast<std::uint64_t>(out);
}

Activations plan_activations(const ir::Model& model, const Bindings& dims) {
  const ir::Graph& graph = model.main();
  const Liveness liveness(model);
  const auto steps = static_cast<std::uint32_t>(graph.nodes.size());
  std::vector<std::uint32_t> last(model.values.size(), steps);
  for (std::uint32_t step = 0; step < steps; ++step) {
    for (const ir::ValueId value : liveness.dead_after(0, step)) last[value] = step;
  }
  Activations out;
  std::vector<Block> blocks;
  const auto add = [&](ir::ValueId value, std::uint32_t step) {
    if (value == ir::kNone) return;
    ++out.values;
    const auto bytes = bytes_of(model.values[value].type, dims);
    if (bytes) blocks.push_back({*bytes, step, std::max(step, last[value])});
    if (!bytes) ++out.left_out;
  };
  for (const ir::ValueId value : graph.inputs) {
    if (!model.values[value].constant) add(value, 0);
  }
  for (std::uint32_t step = 0; step < steps; ++step) {
    const ir::Node& node = model.nodes[graph.nodes[step]];
    if (node.op == "Constant" && node.domain.empty()) continue;
    for (const ir::ValueId value : node.outputs) add(value, step);
  }
  out.plan = plan_memory(blocks);
  return out;
}

}  // namespace godwit::exec
