// One walk over the graphs in order of execution; subgraphs where their node stands.
#include "ops/infer.h"

#include <utility>

#include "ops/signature.h"

namespace godwit::ops {
namespace {

class Walker {
 public:
  explicit Walker(ir::Model& model) : model_(model), contents_(model.values.size()) {}
  Status walk(ir::GraphId graph);
  InferenceReport report;

 private:
  Known known(ir::ValueId value) const;
  void learn(ir::ValueId value, Known found);
  Status visit(ir::NodeId node);
  Result<std::vector<Known>> subgraph(ir::GraphId graph, std::vector<Known> inputs);

  ir::Model& model_;
  std::vector<std::optional<Content>> contents_;
};

Known Walker::known(ir::ValueId value) const {
  if (value == ir::kNone) return {};
  return {model_.values[value].type, contents_[value], model_.constant(value)};
}

void Walker::learn(ir::ValueId value, Known found) {
  ir::Type& type = model_.values[value].type;
  if (std::optional<ir::Type> both = unify(found.type, type)) {
    type = *std::move(both);
  } else {
    report.disagrees.push_back(value);
    type = std::move(found.type);
  }
  contents_[value] = std::move(found.content);
}

Result<std::vector<Known>> Walker::subgraph(ir::GraphId graph, std::vector<Known> inputs) {
  const ir::Graph& row = model_.graphs[graph];
  for (std::size_t i = 0; i < row.inputs.size() && i < inputs.size(); ++i)
    learn(row.inputs[i], std::move(inputs[i]));
  TRY(walk(graph));
  std::vector<Known> out;
  for (const ir::ValueId value : model_.graphs[graph].outputs) out.push_back(known(value));
  return out;
}

Status Walker::visit(ir::NodeId id) {
  const ir::Node& node = model_.nodes[id];
  const Operator* const op = find_operator(node);
  if (!op) {
    report.unknown.push_back(id);
    return {};
  }
  TRY(check_arity(*op, node));
  if (!op->infer) return {};
  std::vector<Known> inputs;
  for (const ir::ValueId value : node.inputs) inputs.push_back(known(value));
  Inference inference(*op, node, std::move(inputs));
  inference.subgraph_types = [this](ir::GraphId graph, std::vector<Known> types) {
    return subgraph(graph, std::move(types));
  };
  TRY(op->infer(inference));
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] != ir::kNone) learn(node.outputs[i], std::move(inference.results()[i]));
  }
  return {};
}

Status Walker::walk(ir::GraphId graph) {
  for (const ir::NodeId node : model_.graphs[graph].nodes) TRY(visit(node));
  return {};
}

}  // namespace

Result<InferenceReport> infer(ir::Model& model) {
  Walker walker(model);
  TRY(walker.walk(0));
  return std::move(walker.report);
}

}  // namespace godwit::ops
