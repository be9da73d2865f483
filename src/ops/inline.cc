// Copies the body of a function once per call, with the call's values and attributes put in.
#include "ops/inline.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "ir/fresh_names.h"
#include "ir/subgraphs.h"

namespace godwit::ops {
namespace {

using ir::GraphId;
using ir::NodeId;
using ir::ValueId;

// Functions that call others twice each grow as 2^depth: no real model comes near.
constexpr std::size_t kMostNodes = std::size_t{1} << 22;
constexpr std::size_t kDeepest = 256;

// A body that is being copied: what its values and attributes are at this call.
struct Frame {
  const ir::Function& function;
  const ir::Node& call;
  std::string prefix;
  std::unordered_map<ValueId, ValueId> values{};

  ValueId at(ValueId value) const {
    const auto found = values.find(value);
    return found == values.end() ? value : found->second;
  }
  const ir::Attribute* attribute(std::string_view name) const {
    if (const ir::Attribute* const given = call.attribute(name)) return given;
    for (const ir::Attribute& row : function.defaults) {
      if (row.name == name) return &row;
    }
    return nullptr;
  }
};

std::string_view name_of(const ir::Node& node) { return node.name.empty() ? node.op : node.name; }

class Inliner {
 public:
  explicit Inliner(ir::Model& model) : model_(model), names_(model) {
    for (const ir::Function& function : model.functions)
      functions_.try_emplace({function.domain, function.name, function.overload}, &function);
  }
  Status run();

 private:
  using Nodes = std::vector<NodeId>;
  const ir::Function* called(const ir::Node& node) const;
  Result<std::uint64_t> measure(GraphId graph);
  Result<std::uint64_t> measure(const ir::Function& function, const ir::Node& node);
  tl::unexpected<Error> refuse(std::string_view code, std::string_view function,
                               const ir::Node& node) const;
  Status rewrite(GraphId graph);
  Status place(NodeId node, Nodes& out);
  Status call(const ir::Function& function, const ir::Node& node, Nodes& out);
  void bind(Frame& frame) const;
  void hand_on(const Frame& frame, Nodes& out);
  Result<NodeId> copy(Frame& frame, NodeId node);
  Result<ir::Attribute::Payload> copy(Frame& frame, const ir::Attribute::Payload& value);
  Result<GraphId> copy_graph(Frame& frame, GraphId graph);
  ValueId copy_value(Frame& frame, ValueId value);

  ir::Model& model_;
  ir::FreshNames names_;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, const ir::Function*>
      functions_;
  GraphId home_ = 0;                       // graph that nodes are placed in
  std::vector<const ir::Function*> open_;  // calls that are being measured, outermost first
  std::map<const ir::Function*, std::uint64_t> sizes_;
};

const ir::Function* Inliner::called(const ir::Node& node) const {
  const auto found = functions_.find({node.domain, node.op, node.overload});
  return found == functions_.end() ? nullptr : found->second;
}

Status Inliner::run() {
  if (model_.functions.empty()) return {};
  TRY(measure(0));
  TRY(rewrite(0));
  for (const ir::Function& function : model_.functions) model_.graphs[function.graph] = {};
  for (ir::Graph& graph : model_.graphs) {
    if (graph.function != ir::kNone) graph = {};
  }
  model_.functions.clear();
  return {};
}

// Nodes that a graph has once its calls are put in place, so that nothing is copied in vain.
Result<std::uint64_t> Inliner::measure(GraphId graph) {
  std::uint64_t out = 0;
  for (const NodeId id : model_.graphs[graph].nodes) {
    const ir::Node& node = model_.nodes[id];
    const ir::Function* const function = called(node);
    ASSIGN(const std::uint64_t own, function ? measure(*function, node) : 1);
    out += own;
    for (const GraphId inner : ir::subgraphs(node)) {
      ASSIGN(const std::uint64_t more, measure(inner));
      out += more;
    }
    if (out > kMostNodes) return refuse("E157", function ? function->name : node.op, node);
  }
  return out;
}

Result<std::uint64_t> Inliner::measure(const ir::Function& function, const ir::Node& node) {
  if (const auto known = sizes_.find(&function); known != sizes_.end()) return known->second;
  if (std::find(open_.begin(), open_.end(), &function) != open_.end())
    return refuse("E156", function.name, node);
  if (open_.size() == kDeepest) return refuse("E157", function.name, node);
  open_.push_back(&function);
  ASSIGN(const std::uint64_t size, measure(function.graph));
  open_.pop_back();
  return sizes_[&function] = size + 1;  // an empty body costs its call
}

tl::unexpected<Error> Inliner::refuse(std::string_view code, std::string_view function,
                                      const ir::Node& node) const {
  return fail(code, {.file = model_.path},
              {{"function", to_valid_utf8(function)}, {"node", to_valid_utf8(name_of(node))}});
}

Status Inliner::rewrite(GraphId graph) {
  const GraphId outer = std::exchange(home_, graph);
  Nodes out;
  const Nodes nodes = model_.graphs[graph].nodes;
  for (const NodeId node : nodes) TRY(place(node, out));
  model_.graphs[graph].nodes = std::move(out);
  home_ = outer;
  return {};
}

Status Inliner::place(NodeId id, Nodes& out) {
  for (const GraphId graph : subgraphs(model_.nodes[id])) TRY(rewrite(graph));
  const ir::Function* const function = called(model_.nodes[id]);
  if (function) return call(*function, ir::Node(model_.nodes[id]), out);
  out.push_back(id);
  return {};
}

// An output that a node of the body makes is made under the name that the caller gives it.
void Inliner::bind(Frame& frame) const {
  const ir::Graph& body = model_.graphs[frame.function.graph];
  const std::vector<ValueId>& given = frame.call.inputs;
  for (std::size_t i = 0; i < body.inputs.size(); ++i)
    frame.values[body.inputs[i]] = i < given.size() ? given[i] : ir::kNone;
  const std::vector<ValueId>& wanted = frame.call.outputs;
  for (std::size_t i = 0; i < body.outputs.size() && i < wanted.size(); ++i) {
    const ValueId made = body.outputs[i];
    const bool is_made_here = made != ir::kNone && model_.values[made].producer != ir::kNone;
    if (wanted[i] != ir::kNone && is_made_here) frame.values.try_emplace(made, wanted[i]);
  }
}

Status Inliner::call(const ir::Function& function, const ir::Node& node, Nodes& out) {
  Frame frame{function, node, to_valid_utf8(name_of(node))};
  bind(frame);
  // Rows are copied before they are read: the tables grow meanwhile.
  const std::vector<ValueId> constants = model_.graphs[function.graph].constants;
  for (const ValueId value : constants) {
    const ValueId made = copy_value(frame, value);
    model_.graphs[home_].constants.push_back(made);
  }
  const Nodes body = model_.graphs[function.graph].nodes;
  for (const NodeId each : body) {
    ASSIGN(const NodeId made, copy(frame, each));
    TRY(place(made, out));
  }
  hand_on(frame, out);
  return {};
}

// An output that is an input of the function, or that stands twice.
void Inliner::hand_on(const Frame& frame, Nodes& out) {
  const std::vector<ValueId> made = model_.graphs[frame.function.graph].outputs;
  const std::vector<ValueId>& wanted = frame.call.outputs;
  std::int64_t opset = model_.opset("");
  for (const ir::Opset& row : frame.function.opsets) {
    if (row.domain.empty()) opset = row.version;
  }
  for (std::size_t i = 0; i < made.size() && i < wanted.size(); ++i) {
    if (wanted[i] == ir::kNone || frame.at(made[i]) == wanted[i]) continue;
    out.push_back(model_.add_node({.name = names_.fresh(frame.prefix + "/Identity"),
                                   .op = "Identity",
                                   .opset = std::max<std::int64_t>(opset, 1),
                                   .inputs = {frame.at(made[i])},
                                   .outputs = {wanted[i]}}));
  }
}

ValueId Inliner::copy_value(Frame& frame, ValueId value) {
  if (value == ir::kNone) return ir::kNone;
  if (const auto known = frame.values.find(value); known != frame.values.end())
    return known->second;
  const ir::Value source = model_.values[value];
  const ValueId made = model_.add_value(names_.fresh(format("{}/{}", frame.prefix, source.name)),
                                        source.producer == ir::kNone ? source.type : ir::Type());
  model_.values[made].constant = source.constant;
  model_.values[made].origin = std::make_shared<const ir::Origin>(
      ir::Origin{.sources = {source.name}, .passes = {"inline"}});
  frame.values.emplace(value, made);
  return made;
}

Result<NodeId> Inliner::copy(Frame& frame, NodeId id) {
  const ir::Node source = model_.nodes[id];
  ir::Node node{.name = names_.fresh(format("{}/{}", frame.prefix, name_of(source))),
                .op = source.op,
                .domain = source.domain,
                .overload = source.overload,
                .opset = source.opset};
  for (const ValueId value : source.inputs)
    node.inputs.push_back(value == ir::kNone ? ir::kNone : frame.at(value));
  for (const ir::Attribute& row : source.attributes) {
    const auto* const reference = std::get_if<ir::Reference>(&row.value);
    const ir::Attribute* const given = reference ? frame.attribute(reference->name) : &row;
    if (!given) continue;  // an attribute that the caller leaves out is left out here too
    ASSIGN(ir::Attribute::Payload value, copy(frame, given->value));
    node.attributes.push_back({row.name, std::move(value)});
  }
  for (const ValueId value : source.outputs) node.outputs.push_back(copy_value(frame, value));
  const NodeId made = model_.add_node(std::move(node));
  for (const GraphId graph : subgraphs(model_.nodes[made])) model_.graphs[graph].owner = made;
  return made;
}

Result<ir::Attribute::Payload> Inliner::copy(Frame& frame, const ir::Attribute::Payload& value) {
  if (const auto* const one = std::get_if<ir::Subgraph>(&value)) {
    ASSIGN(const GraphId graph, copy_graph(frame, one->graph));
    return ir::Subgraph{graph};
  }
  const auto* const many = std::get_if<std::vector<ir::Subgraph>>(&value);
  if (!many) return value;
  std::vector<ir::Subgraph> out;
  for (const ir::Subgraph& each : *many) {
    ASSIGN(const GraphId graph, copy_graph(frame, each.graph));
    out.push_back({graph});
  }
  return out;
}

Result<GraphId> Inliner::copy_graph(Frame& frame, GraphId id) {
  const ir::Graph source = model_.graphs[id];
  ir::Graph graph{.name = source.name};
  for (const ValueId value : source.inputs) graph.inputs.push_back(copy_value(frame, value));
  for (const ValueId value : source.constants) graph.constants.push_back(copy_value(frame, value));
  for (const NodeId node : source.nodes) {
    ASSIGN(const NodeId made, copy(frame, node));
    graph.nodes.push_back(made);
  }
  for (const ValueId value : source.outputs)
    graph.outputs.push_back(value == ir::kNone ? ir::kNone : frame.at(value));
  model_.graphs.push_back(std::move(graph));
  return static_cast<GraphId>(model_.graphs.size() - 1);
}

}  // namespace

Status inline_functions(ir::Model& model) { return Inliner(model).run(); }

}  // namespace godwit::ops
