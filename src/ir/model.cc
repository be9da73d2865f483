// Looking up and adding rows of a model.
#include "ir/model.h"

namespace godwit::ir {

const Attribute* Node::attribute(std::string_view wanted) const {
  for (const Attribute& row : attributes) {
    if (row.name == wanted) return &row;
  }
  return nullptr;
}

void Node::set(std::string_view wanted, Attribute::Payload value) {
  for (Attribute& row : attributes) {
    if (row.name != wanted) continue;
    row.value = std::move(value);
    return;
  }
  attributes.push_back({std::string(wanted), std::move(value)});
}

void Node::remove_attribute(std::string_view wanted) {
  std::erase_if(attributes, [&](const Attribute& row) { return row.name == wanted; });
}

std::int64_t Model::opset(std::string_view domain) const {
  for (const Opset& row : opsets) {
    if (row.domain == domain) return row.version;
  }
  return 0;
}

void Model::add_input(ValueId value) {
  main().inputs.push_back(value);
  values[value].is_input = true;
}

ValueId Model::add_value(std::string name, Type type) {
  values.push_back({.name = std::move(name), .type = std::move(type)});
  return static_cast<ValueId>(values.size() - 1);
}

ValueId Model::add_constant(GraphId graph, std::string name, Tensor tensor) {
  Shape shape(tensor.dims().begin(), tensor.dims().end());
  const ValueId id = add_value(std::move(name), Type::tensor(tensor.type(), std::move(shape)));
  values[id].constant = std::make_shared<const Tensor>(std::move(tensor));
  graphs[graph].constants.push_back(id);
  return id;
}

NodeId Model::add_node(Node node) {
  const auto id = static_cast<NodeId>(nodes.size());
  for (Index i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i] == kNone) continue;
    values[node.outputs[i]].producer = id;
    values[node.outputs[i]].output = i;
  }
  nodes.push_back(std::move(node));
  return id;
}

const Tensor* Model::constant(ValueId value) const {
  if (value == kNone) return nullptr;
  const Value& row = values[value];
  if (row.constant) return row.is_input ? nullptr : row.constant.get();
  if (row.producer == kNone) return nullptr;
  const Node& node = nodes[row.producer];
  if (node.op != "Constant" || !node.domain.empty()) return nullptr;
  const Attribute* const held = node.attribute("value");
  const auto* const tensor =
      held ? std::get_if<std::shared_ptr<const Tensor>>(&held->value) : nullptr;
  return tensor ? tensor->get() : nullptr;
}

const Function* Model::function(const Node& node) const {
  for (const Function& row : functions) {
    if (row.name == node.op && row.domain == node.domain && row.overload == node.overload)
      return &row;
  }
  return nullptr;
}

Users::Users(const Model& model) : start_(model.values.size() + 1), returned_(model.values.size()) {
  const auto each = [&](auto&& visit) {
    for (const Graph& graph : model.graphs) {
      for (const NodeId node : graph.nodes) {
        for (const ValueId input : model.nodes[node].inputs) {
          if (input != kNone) visit(node, input);
        }
      }
    }
  };
  each([&](NodeId, ValueId value) { ++start_[value + 1]; });
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  nodes_.resize(start_.back());
  std::vector<Index> at(start_.begin(), start_.end() - 1);
  each([&](NodeId node, ValueId value) { nodes_[at[value]++] = node; });
  for (const Graph& graph : model.graphs) {
    for (const ValueId output : graph.outputs) {
      if (output != kNone) returned_[output] = true;
    }
  }
}

std::vector<NodeId> Users::of(ValueId value) const {
  return {nodes_.begin() + start_[value], nodes_.begin() + start_[value + 1]};
}

}  // namespace godwit::ir
