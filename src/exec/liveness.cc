// Last uses by one backward look per graph.
#include "exec/liveness.h"

#include <algorithm>

namespace godwit::exec {
namespace {

void add_uses_of_graph(const ir::Model& model, ir::GraphId graph, std::vector<ir::ValueId>& out) {
  const ir::Graph& row = model.graphs[graph];
  out.insert(out.end(), row.outputs.begin(), row.outputs.end());
  for (const ir::NodeId node : row.nodes) add_uses(model, model.nodes[node], out);
}

}  // namespace

// Files nest graphs at most 32 deep: the reader refuses more.
void add_uses(const ir::Model& model, const ir::Node& node, std::vector<ir::ValueId>& out) {
  out.insert(out.end(), node.inputs.begin(), node.inputs.end());
  for (const ir::Attribute& attribute : node.attributes) {
    if (const auto* const one = std::get_if<ir::Subgraph>(&attribute.value))
      add_uses_of_graph(model, one->graph, out);
    if (const auto* const many = std::get_if<std::vector<ir::Subgraph>>(&attribute.value)) {
      for (const ir::Subgraph& each : *many) add_uses_of_graph(model, each.graph, out);
    }
  }
}

Liveness::Liveness(const ir::Model& model) : dead_(model.graphs.size()) {
  std::vector<ir::GraphId> home(model.values.size(), ir::kNone);  // graph that a node makes it in
  for (ir::GraphId graph = 0; graph < model.graphs.size(); ++graph) {
    const ir::Graph& row = model.graphs[graph];
    for (const ir::ValueId value : row.inputs) {
      if (value != ir::kNone) home[value] = graph;
    }
    for (const ir::NodeId node : row.nodes) {
      for (const ir::ValueId value : model.nodes[node].outputs) {
        if (value != ir::kNone) home[value] = graph;
      }
    }
  }
  std::vector<bool> is_needed(model.values.size(), false);
  for (ir::GraphId graph = 0; graph < model.graphs.size(); ++graph) {
    const ir::Graph& row = model.graphs[graph];
    dead_[graph].resize(row.nodes.size());
    for (const ir::ValueId value : row.outputs) {
      if (value != ir::kNone) is_needed[value] = true;
    }
    for (std::size_t i = row.nodes.size(); i-- > 0;) {
      std::vector<ir::ValueId> uses = model.nodes[row.nodes[i]].outputs;
      add_uses(model, model.nodes[row.nodes[i]], uses);
      for (const ir::ValueId value : uses) {
        if (value == ir::kNone || home[value] != graph || is_needed[value]) continue;
        is_needed[value] = true;
        dead_[graph][i].push_back(value);
      }
    }
  }
}

}  // namespace godwit::exec
