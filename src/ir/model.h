// A model as a graph in SSA form: every value is made once, by a node, an input or a constant.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ir/tensor.h"
#include "ir/type.h"

namespace godwit::ir {

using Index = std::uint32_t;
inline constexpr Index kNone = 0xffffffff;

/// The places of rows in Model's tables. Ids stay valid while a model is edited; a node that is
/// removed leaves its row behind.
using ValueId = Index;
using NodeId = Index;
using GraphId = Index;

/// Where a value comes from: what it was in the model as read, and which passes made it what it is.
/// The outputs of an original and of a migrated model are aligned through it.
struct Origin {
  std::vector<std::string> sources;  // names of values of the source model
  std::vector<std::string> passes;   // names of the passes applied, in order
};

struct Value {
  std::string name{};  // unique in the model when printed or written
  Type type{};
  NodeId producer = kNone;
  Index output = 0;       // which output of its producer
  bool is_input = false;  // of the main graph: a constant is only its default
  std::shared_ptr<const Tensor>
      constant{};                          // of an initialiser; values may lie in the model's file
  std::shared_ptr<const Origin> origin{};  // null: it is as read, under its own name
};

/// A graph that is the attribute of a node.
struct Subgraph {
  GraphId graph = kNone;
};

/// In the body of a function: the attribute of the call.
struct Reference {
  std::string name;
};

struct Attribute {
  using Payload =
      std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>,
                   std::vector<std::string>, std::shared_ptr<const Tensor>,
                   std::vector<std::shared_ptr<const Tensor>>, Subgraph, std::vector<Subgraph>,
                   Type, Reference>;
  std::string name;
  Payload value;
};

struct Node {
  std::string name{};
  std::string op{};
  std::string domain{};  // empty: ai.onnx
  std::string overload{};
  std::int64_t opset = 0;         // version of its domain that the operator's meaning is taken from
  std::vector<ValueId> inputs{};  // kNone: left out
  std::vector<ValueId> outputs{};
  std::vector<Attribute> attributes{};

  const Attribute* attribute(std::string_view name) const;
  /// Sets or adds.
  void set(std::string_view name, Attribute::Payload value);
  void remove_attribute(std::string_view name);
};

struct Graph {
  std::string name{};
  std::vector<NodeId> nodes{};  // every node stands after the makers of its inputs
  std::vector<ValueId> inputs{};
  std::vector<ValueId> constants{};  // initialisers; one may be an input too: its default
  std::vector<ValueId> outputs{};
  NodeId owner = kNone;    // node whose attribute this graph is
  Index function = kNone;  // whose body this graph is or lies in
};

struct Opset {
  std::string domain{};
  std::int64_t version = 0;
};

struct Function {
  std::string domain{};
  std::string name{};
  std::string overload{};
  std::vector<Opset> opsets{};
  std::vector<std::string> attributes{};  // without a default
  std::vector<Attribute> defaults{};
  GraphId graph = kNone;
};

struct Model {
  std::vector<Graph> graphs;  // graphs[0] is the main one
  std::vector<Node> nodes;
  std::vector<Value> values;
  std::vector<Function> functions;
  std::vector<Opset> opsets;
  std::int64_t ir_version = 8;
  std::string path{};  // it was read from; for messages
  std::string producer{};
  std::vector<std::pair<std::string, std::string>> metadata{};

  Graph& main() { return graphs[0]; }
  const Graph& main() const { return graphs[0]; }
  std::int64_t opset(std::string_view domain) const;  // 0: not imported

  /// Makes a value an input of the main graph.
  void add_input(ValueId value);
  /// A new value without a producer.
  ValueId add_value(std::string name, Type type = {});
  /// A new value of the graph that holds a constant.
  ValueId add_constant(GraphId graph, std::string name, Tensor tensor);
  /// Sets the producer of the node's outputs; does not put the node into a graph.
  NodeId add_node(Node node);

  /// The constant behind a value: an initialiser that is no input, or what a Constant node holds.
  const Tensor* constant(ValueId value) const;
  const Function* function(const Node& node) const;
};

/// The nodes that take a value, and the graphs that return it, for every value of a model.
class Users {
 public:
  explicit Users(const Model& model);
  /// Nodes, each as often as it takes the value.
  std::vector<NodeId> of(ValueId value) const;
  std::size_t count(ValueId value) const { return start_[value + 1] - start_[value]; }
  bool is_output(ValueId value) const { return returned_[value]; }

 private:
  std::vector<Index> start_;
  std::vector<NodeId> nodes_;
  std::vector<bool> returned_;
};

}  // namespace godwit::ir
