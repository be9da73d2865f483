// Weights by dtype, and live values in order of execution.
#include "scan/onnx_memory.h"

#include <algorithm>
#include <optional>

namespace godwit::scan {
namespace {

using onnx::Index;
using onnx::kNone;

// No node has this number: a value that a node reads twice is released once.
constexpr Index kReleased = kNone - 1;

bool becomes_fp16(onnx::ElementType type) {
  return type == onnx::ElementType::kFloat || type == onnx::ElementType::kDouble;
}

void add_weights(const onnx::Model& model, OnnxMemory& out) {
  for (const onnx::Tensor& tensor : model.tensors) {
    OnnxMemory::Weights& kind = out.by_dtype[std::string(ir::code(tensor.element))];
    kind.elements += tensor.elements;
    kind.bytes += tensor.bytes;
    if (is_floating(tensor.element)) out.parameters += tensor.elements;
    if (tensor.external) out.external_bytes += tensor.bytes;
    out.weight_bytes += tensor.bytes;
    out.fp16_bytes += becomes_fp16(tensor.element) ? 2 * tensor.elements : tensor.bytes;
  }
}

// Bytes of a value; nothing when they are not known. Weights are counted elsewhere.
std::optional<std::uint64_t> bytes_of(const onnx::Model& model, const onnx::Value& value) {
  if (value.tensor != kNone) return 0;
  if (!value.type.has_shape) return std::nullopt;
  const onnx::ElementType type = value.type.element;
  std::uint64_t bits = becomes_fp16(type) ? 16 : ir::bits(type);
  const auto dims = model.shape(value.type);
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t size = dims[i].size < 0 && i == 0 ? 1 : dims[i].size;
    if (size == 0) return 0;
    const bool known =
        size > 0 && bits > 0 && bits <= (std::uint64_t{1} << 60) / static_cast<std::uint64_t>(size);
    if (!known) return std::nullopt;
    bits *= static_cast<std::uint64_t>(size);
  }
  return (bits + 7) / 8;
}

// The node of the main graph in which each graph runs; kNone for functions.
std::vector<Index> outermost_nodes(const onnx::Model& model) {
  std::vector<Index> graph_of(model.nodes.size(), 0);
  std::vector<Index> out(model.graphs.size(), kNone);
  for (Index g = 0; g < model.graphs.size(); ++g) {
    const onnx::Graph& graph = model.graphs[g];
    for (Index i = 0; i < graph.nodes.count; ++i) graph_of[graph.nodes.first + i] = g;
    // Subgraphs come after the graph of their owner.
    if (graph.owner == kNone) continue;
    const Index around = graph_of[graph.owner];
    out[g] = around == 0 ? graph.owner : out[around];
  }
  return out;
}

// For each value, the last node of the main graph that reads it; kNone: nobody.
std::vector<Index> last_readers(const onnx::Model& model) {
  std::vector<Index> last(model.values.size(), kNone);
  const std::vector<Index> outermost = outermost_nodes(model);
  for (Index g = 0; g < model.graphs.size(); ++g) {
    const onnx::Graph& graph = model.graphs[g];
    for (Index i = graph.nodes.first; i < graph.nodes.first + graph.nodes.count; ++i) {
      const Index reader = g == 0 ? i : outermost[g];
      for (const Index value : model.inputs(model.nodes[i])) {
        if (value == kNone || reader == kNone) continue;
        last[value] = last[value] == kNone ? reader : std::max(last[value], reader);
      }
    }
  }
  for (const Index value : onnx::Model::rows(model.operands, model.graphs[0].outputs)) {
    if (value != kNone) last[value] = model.graphs[0].nodes.first + model.graphs[0].nodes.count;
  }
  return last;
}

std::uint64_t peak_of(const onnx::Model& model) {
  std::vector<Index> last = last_readers(model);
  std::uint64_t live = 0, peak = 0;
  for (const Index value : onnx::Model::rows(model.operands, model.graphs[0].inputs)) {
    if (value != kNone) live += bytes_of(model, model.values[value]).value_or(0);
  }
  const onnx::Range nodes = model.graphs[0].nodes;
  for (Index i = nodes.first; i < nodes.first + nodes.count; ++i) {
    const auto inputs = model.inputs(model.nodes[i]);
    const auto outputs = model.outputs(model.nodes[i]);
    for (const Index value : outputs) {
      if (value != kNone) live += bytes_of(model, model.values[value]).value_or(0);
    }
    peak = std::max(peak, live);
    for (const Index value : inputs) {
      if (value == kNone || last[value] != i) continue;
      live -= std::min(live, bytes_of(model, model.values[value]).value_or(0));
      last[value] = kReleased;
    }
    for (const Index value : outputs) {
      if (value != kNone && last[value] == kNone)
        live -= bytes_of(model, model.values[value]).value_or(0);
    }
  }
  return std::max(peak, live);
}

}  // namespace

OnnxMemory measure_memory(const onnx::Model& model) {
  OnnxMemory out;
  add_weights(model, out);
  for (const onnx::Value& value : model.values) {
    if (value.producer == kNone) continue;
    const bool constant = model.nodes[value.producer].op == "Constant";
    ++out.values;
    if (!constant && !value.type.has_shape) ++out.unknown_shapes;
    if (!constant && !bytes_of(model, value)) ++out.left_out;
  }
  out.peak_bytes = peak_of(model);
  return out;
}

}  // namespace godwit::scan
