// Reads ModelProto and what it holds; field numbers are those of onnx.proto (IR version 14).
// Subgraphs wait in a queue, so no input can exhaust the stack and nodes of a graph lie together.
#include "formats/onnx/reader.h"

#include <utility>

#include "base/text.h"
#include "formats/onnx/sniff.h"
#include "formats/onnx/tensor.h"
#include "formats/onnx/types.h"
#include "formats/onnx/walk.h"

namespace godwit::formats::onnx {
namespace {

// Exporters nest two or three levels; protobuf's own limit of 100 messages allows about 33.
constexpr std::uint32_t kDeepest = 32;

template <class T>
Range rows_since(const std::vector<T>& table, std::size_t first) {
  return {static_cast<Index>(first), static_cast<Index>(table.size() - first)};
}

class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name) : walk_(bytes, name), bytes_(bytes) {}
  Status read();
  const Walk& walk() const { return walk_; }
  bool is_onnx() const { return model_.ir_version > 0 && model_.ir_version < 1000; }
  Unlinked take();

 private:
  // The parts of a graph that are joined to the tables when all of it is read.
  struct Parts {
    std::vector<Index> inputs, outputs;
    std::vector<Tensor> tensors, sparse;
    std::size_t first_node = 0;
  };
  Status read_model();
  Status read_graph(Message message, Index graph);
  Status read_function(Message message, Index graph);
  Status finish(Index graph, const Parts& parts);
  Status read_node(Message message, Index graph);
  Status read_attribute(Message message, Index graph);
  Status read_opset(Message message);
  Status read_property(Message message);
  Status value(const Message& in, const Field& field, std::vector<Index>* numbers);
  Status name(const Message& in, const Field& field, std::vector<Index>& numbers);
  Status tensor(const Message& in, const Field& field, std::vector<Tensor>& into,
                bool sparse = false);
  Status queue(const Message& message, Graph graph);
  Range append(const std::vector<Index>& numbers);

  /// Reads a field that holds a message by one of the functions above.
  template <class... More>
  Status part(const Message& in, const Field& field, std::string_view kind,
              Status (Reader::*read_one)(Message, More...), More... more) {
    Message message;
    TRY(walk_.message(in, field, kind, message));
    return (this->*read_one)(message, more...);
  }

  Walk walk_;
  std::string_view bytes_;
  Model model_;
  Names names_;
  std::vector<Typed> typed_;
  std::vector<Range> typed_of_;
  std::vector<Message> waiting_;  // by graph
  std::vector<Index> node_inputs_, node_outputs_;
};

Status Reader::read() {
  TRY(read_model());
  for (Index graph = 0; graph < waiting_.size(); ++graph) {
    const std::size_t first = typed_.size();
    const bool is_function = model_.graphs[graph].kind == Graph::Kind::kFunction;
    const Message message = waiting_[graph];
    TRY(is_function ? read_function(message, graph) : read_graph(message, graph));
    typed_of_.push_back(rows_since(typed_, first));
  }
  return {};
}

Unlinked Reader::take() {
  model_.path = walk_.name();
  return {std::move(model_), std::move(names_), std::move(typed_), std::move(typed_of_)};
}

Status Reader::queue(const Message& message, Graph graph) {
  if (graph.depth > kDeepest) {
    return walk_.failure("E034", message, {{"limit", format("{}", kDeepest)}});
  }
  TRY(walk_.add(model_.graphs, graph));
  waiting_.push_back(message);
  return {};
}

Status Reader::read_model() {
  const Message message = {.bytes = bytes_, .kind = "model", .cut = true};
  std::vector<Message> graphs, functions;
  const auto keep = [&](const Field& field, std::string_view kind,
                        std::vector<Message>& list) -> Status {
    Message found;
    TRY(walk_.message(message, field, kind, found));
    return walk_.add(list, found);
  };
  TRY(walk_.each(message, [&](const Field& field) -> Status {
    switch (field.id) {
      case 1: return walk_.integer(message, field, model_.ir_version);
      case 2: return walk_.text(message, field, model_.producer);
      case 3: return walk_.text(message, field, model_.producer_version);
      case 7: return keep(field, "graph", graphs);
      case 8: return part(message, field, "opset", &Reader::read_opset);
      case 14: return part(message, field, "property", &Reader::read_property);
      case 25: return keep(field, "function", functions);
      default: return walk_.skip(message, field);
    }
  }));
  model_.opsets = rows_since(model_.all_opsets, 0);
  if (graphs.size() != 1) return walk_.foreign(graphs.empty() ? "no_graph" : "protobuf");
  TRY(queue(graphs[0], {.kind = Graph::Kind::kMain}));
  for (const Message& function : functions) {
    const auto index = static_cast<Index>(model_.functions.size());
    const auto graph = static_cast<Index>(model_.graphs.size());
    TRY(queue(function, {.kind = Graph::Kind::kFunction, .function = index}));
    model_.functions.push_back({.graph = graph});
  }
  return {};
}

Status Reader::read_opset(Message message) {
  Opset opset;
  TRY(walk_.each(message, [&](const Field& field) -> Status {
    if (field.id == 1) return walk_.text(message, field, opset.domain);
    if (field.id == 2) return walk_.integer(message, field, opset.version);
    return walk_.skip(message, field);
  }));
  if (opset.domain == "ai.onnx") opset.domain = {};
  return walk_.add(model_.all_opsets, opset);
}

Status Reader::read_property(Message message) {
  Property property;
  TRY(walk_.each(message, [&](const Field& field) -> Status {
    if (field.id == 1) return walk_.text(message, field, property.key);
    if (field.id == 2) return walk_.text(message, field, property.value);
    return walk_.skip(message, field);
  }));
  return walk_.add(model_.metadata, property);
}

Status Reader::value(const Message& in, const Field& field, std::vector<Index>* numbers) {
  Message message;
  TRY(walk_.message(in, field, "value", message));
  std::string_view text;
  Type type;
  TRY(read_value(walk_, message, model_.dims, text, type));
  const Index number = names_.number(text);
  TRY(walk_.add(typed_, {number, type}));
  return numbers ? walk_.add(*numbers, number) : Status();
}

Status Reader::name(const Message& in, const Field& field, std::vector<Index>& numbers) {
  std::string_view text;
  TRY(walk_.text(in, field, text));
  // An empty name is an optional input that is left out, or an output that nobody wants.
  return walk_.add(numbers, text.empty() ? kNone : names_.number(text));
}

Status Reader::tensor(const Message& in, const Field& field, std::vector<Tensor>& into,
                      bool sparse) {
  Message message;
  TRY(walk_.message(in, field, "tensor", message));
  Tensor row;
  TRY((sparse ? read_sparse_tensor : read_tensor)(walk_, message, model_.tensor_dims, row));
  return walk_.add(into, row);
}

Range Reader::append(const std::vector<Index>& numbers) {
  std::vector<Index>& table = model_.operands;
  const std::size_t first = table.size();
  table.insert(table.end(), numbers.begin(), numbers.end());
  return rows_since(table, first);
}

Status Reader::finish(Index graph, const Parts& parts) {
  Graph& out = model_.graphs[graph];
  const std::size_t first = model_.tensors.size();
  out.nodes = rows_since(model_.nodes, parts.first_node);
  out.inputs = append(parts.inputs);
  out.outputs = append(parts.outputs);
  model_.tensors.insert(model_.tensors.end(), parts.tensors.begin(), parts.tensors.end());
  model_.tensors.insert(model_.tensors.end(), parts.sparse.begin(), parts.sparse.end());
  out.initializers = rows_since(model_.tensors, first);
  out.sparse = static_cast<Index>(parts.sparse.size());
  return model_.operands.size() > kMostRows ? walk_.too_many() : Status();
}

Status Reader::read_graph(Message message, Index graph) {
  Parts parts{.first_node = model_.nodes.size()};
  TRY(walk_.each(message, [&](const Field& field) -> Status {
    switch (field.id) {
      case 1: return part(message, field, "node", &Reader::read_node, graph);
      case 2:
        TRY(walk_.text(message, field, message.name));
        model_.graphs[graph].name = message.name;
        return {};
      case 5: return tensor(message, field, parts.tensors);
      case 11: return value(message, field, &parts.inputs);
      case 12: return value(message, field, &parts.outputs);
      case 13: return value(message, field, nullptr);
      case 15: return tensor(message, field, parts.sparse, true);
      default: return walk_.skip(message, field);
    }
  }));
  return finish(graph, parts);
}

Status Reader::read_function(Message message, Index graph) {
  Function& function = model_.functions[model_.graphs[graph].function];
  Parts parts{.first_node = model_.nodes.size()};
  const std::size_t first_opset = model_.all_opsets.size();
  std::vector<Message> defaults;
  std::vector<std::string_view> needed;
  TRY(walk_.each(message, [&](const Field& field) -> Status {
    switch (field.id) {
      case 1: return walk_.text(message, field, function.name);
      case 4: return name(message, field, parts.inputs);
      case 5: return name(message, field, parts.outputs);
      case 6: return walk_.text(message, field, needed.emplace_back());
      case 7: return part(message, field, "node", &Reader::read_node, graph);
      case 9: return part(message, field, "opset", &Reader::read_opset);
      case 10: return walk_.text(message, field, function.domain);
      case 11: {
        Message attribute;
        TRY(walk_.message(message, field, "attribute", attribute));
        return walk_.add(defaults, attribute);
      }
      case 12: return value(message, field, nullptr);
      case 13: return walk_.text(message, field, function.overload);
      default: return walk_.skip(message, field);
    }
  }));
  function.needed = std::move(needed);
  function.opsets = rows_since(model_.all_opsets, first_opset);
  const std::size_t first_attribute = model_.attributes.size();
  for (const Message& attribute : defaults) TRY(read_attribute(attribute, graph));
  function.attributes = rows_since(model_.attributes, first_attribute);
  model_.graphs[graph].name = function.name;
  return finish(graph, parts);
}

Status Reader::read_node(Message message, Index graph) {
  Node node;
  node_inputs_.clear();
  node_outputs_.clear();
  const std::size_t first = model_.attributes.size();
  TRY(walk_.each(message, [&](const Field& field) -> Status {
    switch (field.id) {
      case 1: return name(message, field, node_inputs_);
      case 2: return name(message, field, node_outputs_);
      case 3:
        TRY(walk_.text(message, field, message.name));
        node.name = message.name;
        return {};
      case 4: return walk_.text(message, field, node.op);
      case 5: return part(message, field, "attribute", &Reader::read_attribute, graph);
      case 7: return walk_.text(message, field, node.domain);
      case 8: return walk_.text(message, field, node.overload);
      default: return walk_.skip(message, field);
    }
  }));
  if (node.domain == "ai.onnx") node.domain = {};
  node.inputs = append(node_inputs_);
  node.outputs = append(node_outputs_);
  node.attributes = rows_since(model_.attributes, first);
  return walk_.add(model_.nodes, node);
}

// The kind of an attribute whose `type` is missing, as in files of IR version 1: the field of
// AttributeProto that holds its value says it. Fields 2 to 11 lie in the order of the kinds.
Attribute::Kind implied_kind(std::uint32_t field, Attribute::Kind before) {
  return field >= 2 && field <= 11 ? static_cast<Attribute::Kind>(field - 1) : before;
}

Status Reader::read_attribute(Message message, Index graph) {
  Attribute out{.body = message.bytes};
  const std::size_t first_tensor = model_.tensors.size();
  const std::size_t first_graph = model_.graphs.size();
  Attribute::Kind implied = Attribute::Kind::kUndefined;
  std::int64_t kind = 0;
  TRY(walk_.each(message, [&](const Field& field) -> Status {
    implied = implied_kind(field.id, implied);
    switch (field.id) {
      case 1: TRY(walk_.text(message, field, message.name)); return {};
      case 5:
      case 10: return tensor(message, field, model_.tensors);
      case 22:
      case 23: return tensor(message, field, model_.tensors, true);
      case 6:
      case 11: {
        Message subgraph;
        TRY(walk_.message(message, field, "graph", subgraph));
        const Graph& outer = model_.graphs[graph];
        return queue(subgraph, {.kind = Graph::Kind::kSubgraph,
                                .owner = static_cast<Index>(model_.nodes.size()),
                                .function = outer.function,
                                .depth = outer.depth + 1});
      }
      case 20: return walk_.integer(message, field, kind);
      case 21: return walk_.text(message, field, out.reference);
      default: return walk_.skip(message, field);
    }
  }));
  out.name = message.name;
  out.kind = kind > 0 && kind <= static_cast<int>(Attribute::Kind::kTypes)
                 ? static_cast<Attribute::Kind>(kind)
                 : implied;
  out.tensors = rows_since(model_.tensors, first_tensor);
  out.graphs = rows_since(model_.graphs, first_graph);
  return walk_.add(model_.attributes, out);
}

}  // namespace

Result<Unlinked> read_structure(std::string_view bytes, const std::string& name) {
  Reader reader(bytes, name);
  const std::string_view other = foreign_format(bytes);
  if (!other.empty()) TRY(reader.walk().foreign(other));
  const Status status = reader.read();
  // A file that never said its IR version is no damaged model but something else.
  if (!reader.is_onnx()) TRY(reader.walk().foreign("protobuf"));
  TRY(status);
  return reader.take();
}

}  // namespace godwit::formats::onnx
