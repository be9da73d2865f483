// From names to values, in the order of execution, so that every fault of the dataflow is found:
// a name made twice, used before it is made, made by nobody, or made from itself.
#include <utility>

#include "base/text.h"
#include "diag/messages.h"
#include "formats/onnx/reader.h"

namespace godwit::formats::onnx {
namespace {

class Linker {
 public:
  explicit Linker(Unlinked& in)
      : in_(in), model_(in.model), named_(in.model.operands), current_(in.names.size(), kNone) {}
  Status link();

 private:
  struct Undo {
    Index name;
    Index value;
  };
  Status link_graph(Index graph);
  Status link_node(Index graph, Index node);
  Status define_inputs(Index graph);
  Status define_initializers(Index graph);
  Status define(Index graph, Index name, Value value);
  Status resolve(Index graph, Index node, Index operand);
  void apply_types(Index graph);
  Type type_of(const Tensor& tensor);
  Type type_of_constant(Index node);

  bool makes(Index node, Index name) const;
  bool needs(Index graph, Index from, Index node) const;
  Status unresolved(Index graph, Index node, Index name) const;
  Status failure(std::string_view code, Index name, Index node) const;
  std::string show(Index node) const;

  Unlinked& in_;
  Model& model_;
  std::vector<Index> named_;       // operands as names; those of the model become values
  std::vector<Index> current_;     // value that a name means here
  std::vector<Index> defined_in_;  // graph of a value
  std::vector<Undo> undo_;
};

Status Linker::link() {
  model_.values.reserve(in_.names.size());
  for (Index graph = 0; graph < model_.graphs.size(); ++graph) {
    // Subgraphs are linked where their node stands: they see the values made before it.
    if (model_.graphs[graph].kind != Graph::Kind::kSubgraph) TRY(link_graph(graph));
  }
  return {};
}

Status Linker::link_graph(Index graph) {
  const std::size_t mark = undo_.size();
  TRY(define_inputs(graph));
  TRY(define_initializers(graph));
  const Range nodes = model_.graphs[graph].nodes;
  for (Index i = 0; i < nodes.count; ++i) TRY(link_node(graph, nodes.first + i));
  const Range outputs = model_.graphs[graph].outputs;
  for (Index i = 0; i < outputs.count; ++i) TRY(resolve(graph, kNone, outputs.first + i));
  apply_types(graph);
  for (; undo_.size() > mark; undo_.pop_back()) current_[undo_.back().name] = undo_.back().value;
  return {};
}

Status Linker::link_node(Index graph, Index node) {
  const Range inputs = model_.nodes[node].inputs;
  for (Index i = 0; i < inputs.count; ++i) TRY(resolve(graph, node, inputs.first + i));
  for (const Attribute& attribute : Model::rows(model_.attributes, model_.nodes[node].attributes)) {
    const Range graphs = attribute.graphs;
    for (Index i = 0; i < graphs.count; ++i) TRY(link_graph(graphs.first + i));
  }
  const Range outputs = model_.nodes[node].outputs;
  for (Index i = 0; i < outputs.count; ++i) {
    Index& operand = model_.operands[outputs.first + i];
    if (operand == kNone) continue;
    TRY(define(graph, operand, {.type = type_of_constant(node), .producer = node}));
    operand = static_cast<Index>(model_.values.size() - 1);
  }
  return {};
}

Status Linker::define_inputs(Index graph) {
  const Range inputs = model_.graphs[graph].inputs;
  for (Index i = 0; i < inputs.count; ++i) {
    Index& operand = model_.operands[inputs.first + i];
    if (operand == kNone) continue;
    TRY(define(graph, operand, {.is_input = true}));
    operand = static_cast<Index>(model_.values.size() - 1);
  }
  return {};
}

Type Linker::type_of(const Tensor& tensor) {
  const Range dims = {static_cast<Index>(model_.dims.size()), tensor.dims.count};
  for (const std::int64_t size : model_.shape(tensor)) model_.dims.push_back({.size = size});
  return {.kind = Type::Kind::kTensor, .element = tensor.element, .has_shape = true, .dims = dims};
}

// The output of a Constant node has the type of the tensor that it holds.
Type Linker::type_of_constant(Index node) {
  if (model_.nodes[node].op != "Constant" || !model_.nodes[node].domain.empty()) return {};
  const Attribute* const value = model_.attribute(model_.nodes[node], "value");
  return value && value->tensors.count ? type_of(model_.tensors[value->tensors.first]) : Type();
}

Status Linker::define_initializers(Index graph) {
  const Range tensors = model_.graphs[graph].initializers;
  for (Index i = tensors.first; i < tensors.first + tensors.count; ++i) {
    const Index name = in_.names.number(model_.tensors[i].name);
    if (name >= current_.size()) current_.resize(name + 1, kNone);
    const Index known = current_[name];
    // Before IR version 4 every initialiser had to be an input too; it is its default value.
    const bool is_default = known != kNone && defined_in_[known] == graph &&
                            model_.values[known].is_input && model_.values[known].tensor == kNone;
    if (is_default) {
      model_.values[known].tensor = i;
      continue;
    }
    TRY(define(graph, name, {.type = type_of(model_.tensors[i]), .tensor = i}));
  }
  return {};
}

Status Linker::define(Index graph, Index name, Value value) {
  const Index known = current_[name];
  if (known != kNone && defined_in_[known] == graph) return failure("E038", name, value.producer);
  undo_.push_back({name, known});
  current_[name] = static_cast<Index>(model_.values.size());
  value.name = in_.names.name(name);
  model_.values.push_back(value);
  defined_in_.push_back(graph);
  return {};
}

Status Linker::resolve(Index graph, Index node, Index operand) {
  const Index name = named_[operand];
  if (name == kNone) return {};
  if (current_[name] == kNone) return unresolved(graph, node, name);
  model_.operands[operand] = current_[name];
  return {};
}

void Linker::apply_types(Index graph) {
  for (const Typed& typed : Model::rows(in_.typed, in_.typed_of[graph])) {
    const Index value = current_[typed.name];
    if (value == kNone || defined_in_[value] != graph) continue;
    Type& type = model_.values[value].type;
    if (type.kind == Type::Kind::kUnknown || (!type.has_shape && typed.type.has_shape)) {
      type = typed.type;
    }
  }
}

bool Linker::makes(Index node, Index name) const {
  for (const Index output : Model::rows(named_, model_.nodes[node].outputs)) {
    if (output == name) return true;
  }
  return false;
}

// Whether `from` needs, directly or through others of its graph, what `node` makes.
bool Linker::needs(Index graph, Index from, Index node) const {
  const Range nodes = model_.graphs[graph].nodes;
  std::vector<Index> maker(in_.names.size(), kNone);
  for (Index i = nodes.first; i < nodes.first + nodes.count; ++i) {
    for (const Index output : Model::rows(named_, model_.nodes[i].outputs)) {
      if (output != kNone) maker[output] = i;
    }
  }
  std::vector<bool> seen(nodes.count);
  std::vector<Index> open = {from};
  while (!open.empty()) {
    const Index at = open.back();
    open.pop_back();
    if (at == node) return true;
    if (seen[at - nodes.first]) continue;
    seen[at - nodes.first] = true;
    for (const Index input : Model::rows(named_, model_.nodes[at].inputs)) {
      if (input != kNone && maker[input] != kNone) open.push_back(maker[input]);
    }
  }
  return false;
}

Status Linker::unresolved(Index graph, Index node, Index name) const {
  Index user = node;  // the node that uses the name, then those whose subgraphs it lies in
  for (;;) {
    const Graph& in = model_.graphs[graph];
    for (Index i = in.nodes.first; i < in.nodes.first + in.nodes.count; ++i) {
      if (!makes(i, name)) continue;
      return failure(user != kNone && needs(graph, i, user) ? "E035" : "E036", name, node);
    }
    if (in.owner == kNone) return failure("E037", name, node);
    user = in.owner;
    for (graph = 0; graph < model_.graphs.size(); ++graph) {
      const Range nodes = model_.graphs[graph].nodes;
      if (user >= nodes.first && user < nodes.first + nodes.count) break;
    }
  }
}

// A node without a name is told by its place in its graph, as viewers count.
std::string Linker::show(Index node) const {
  const Node& at = model_.nodes[node];
  const std::string op = to_valid_utf8(at.op);
  if (!at.name.empty())
    return diag::text("onnx_file.node", {{"op", op}, {"name", to_valid_utf8(at.name)}});
  Index first = 0;
  for (const Graph& graph : model_.graphs) {
    if (node >= graph.nodes.first && node < graph.nodes.first + graph.nodes.count)
      first = graph.nodes.first;
  }
  return diag::text("onnx_file.node_at", {{"op", op}, {"place", format("{}", node - first)}});
}

Status Linker::failure(std::string_view code, Index name, Index node) const {
  std::string user = diag::text("onnx_file.part_graph");
  if (node != kNone) {
    user = show(node);
  }
  return fail(code, {.file = model_.path},
              {{"path", model_.path},
               {"value", to_valid_utf8(in_.names.name(name))},
               {"user", std::move(user)}});
}

}  // namespace

Status link(Unlinked& unlinked) { return Linker(unlinked).link(); }

}  // namespace godwit::formats::onnx
