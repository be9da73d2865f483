// An ONNX model as flat tables of views into the mapped file: nothing of the weights is copied.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "ir/element_type.h"
#include "ir/type.h"

namespace godwit::formats::onnx {

using ir::ElementType;

/// A place in one of the tables of Model.
using Index = std::uint32_t;
inline constexpr Index kNone = 0xffffffff;

/// Neighbouring rows of a table.
struct Range {
  Index first = 0;
  Index count = 0;
};

struct Dim {
  std::int64_t size = -1;  // -1: not known before run time
  std::string_view symbol{};
};

/// optional(seq(tensor)): kind kOptional around {kSequence}.
struct Type {
  using Kind = ir::Type::Kind;
  Kind kind = Kind::kUnknown;
  std::array<Kind, 3> inner{};                    // from the outside; the tensor itself is left out
  ElementType key = ElementType::kUndefined;      // of the innermost map
  ElementType element = ElementType::kUndefined;  // of the innermost tensor
  bool has_shape = false;
  Range dims{};
};

struct Tensor {
  std::string_view name{};
  ElementType element = ElementType::kUndefined;
  Range dims{};  // into Model::tensor_dims
  std::uint64_t elements = 1;
  std::uint64_t bytes = 0;    // by shape and type; of strings: what the file holds
  std::string_view raw{};     // raw_data as it lies in the file
  std::string_view packed{};  // int32_data or int64_data, where the numbers are not in raw_data
  std::string_view body{};    // the TensorProto or SparseTensorProto
  bool sparse = false;
  bool external = false;
  std::string_view location{};  // of external data: file, offset and length (-1: to the end)
  std::int64_t offset = 0;
  std::int64_t length = -1;
};

/// Values stay in the file and are read when asked for.
struct Attribute {
  enum class Kind : std::uint8_t {
    kUndefined,
    kFloat,
    kInt,
    kString,
    kTensor,
    kGraph,
    kFloats,
    kInts,
    kStrings,
    kTensors,
    kGraphs,
    kSparse,
    kSparses,
    kType,
    kTypes,
  };
  std::string_view name{};
  Kind kind = Kind::kUndefined;
  std::string_view body{};       // the AttributeProto
  std::string_view reference{};  // ref_attr_name: the attribute of the function that it stands for
  Range tensors{};
  Range graphs{};
};

struct Node {
  std::string_view name{};
  std::string_view op{};
  std::string_view domain{};  // empty: ai.onnx
  std::string_view overload{};
  Range inputs{};   // into Model::operands; an input that is left out is kNone
  Range outputs{};  // into Model::operands
  Range attributes{};
};

/// One value of the dataflow: defined once in its graph, used by many.
struct Value {
  std::string_view name{};
  Type type{};             // from graph inputs, value_info or the initialiser
  Index producer = kNone;  // node
  Index tensor = kNone;    // initialiser
  bool is_input = false;   // of its graph
};

struct Graph {
  enum class Kind : std::uint8_t { kMain, kSubgraph, kFunction };
  Kind kind = Kind::kMain;
  std::string_view name{};
  Range nodes{};
  Range inputs{};          // into Model::operands
  Range outputs{};         // into Model::operands
  Range initializers{};    // into Model::tensors; the values of sparse ones come last
  Index sparse = 0;        // how many of them are sparse
  Index owner = kNone;     // node whose attribute this subgraph is
  Index function = kNone;  // whose body this graph is or lies in
  std::uint32_t depth = 0;
};

struct Opset {
  std::string_view domain{};  // empty: ai.onnx
  std::int64_t version = 0;
};

struct Function {
  std::string_view domain{};
  std::string_view name{};
  std::string_view overload{};
  Range opsets{};
  Range attributes{};                      // those with a default
  std::vector<std::string_view> needed{};  // names of those without
  Index graph = kNone;
};

struct Property {
  std::string_view key{};
  std::string_view value{};
};

struct Model {
  std::string path;
  std::optional<MappedFile> file;  // what the views point into, when read from a path
  std::int64_t ir_version = 0;
  std::string_view producer{};
  std::string_view producer_version{};
  Range opsets{};             // of the model; those of functions follow
  std::vector<Graph> graphs;  // graphs[0] is the main one; subgraphs follow their owners
  std::vector<Node> nodes;
  std::vector<Attribute> attributes;
  std::vector<Tensor> tensors;
  std::vector<Value> values;
  std::vector<Index> operands;  // values that nodes and graphs name, in order
  std::vector<Dim> dims;
  std::vector<std::int64_t> tensor_dims;
  std::vector<Opset> all_opsets;
  std::vector<Function> functions;
  std::vector<Property> metadata;

  template <class T>
  static std::span<const T> rows(const std::vector<T>& table, Range range) {
    return std::span<const T>(table).subspan(range.first, range.count);
  }
  std::span<const Node> nodes_of(const Graph& graph) const { return rows(nodes, graph.nodes); }
  std::span<const Index> inputs(const Node& node) const { return rows(operands, node.inputs); }
  std::span<const Index> outputs(const Node& node) const { return rows(operands, node.outputs); }
  std::span<const Dim> shape(const Type& type) const { return rows(dims, type.dims); }
  std::span<const std::int64_t> shape(const Tensor& tensor) const {
    return rows(tensor_dims, tensor.dims);
  }
  std::span<const Opset> opset_imports(const Graph& graph) const {
    return rows(all_opsets, graph.function == kNone ? opsets : functions[graph.function].opsets);
  }

  const Attribute* attribute(const Node& node, std::string_view name) const;
  /// The attribute, or the fallback when it is missing or of another kind.
  std::int64_t integer(const Node& node, std::string_view name, std::int64_t fallback) const;
  float number(const Node& node, std::string_view name, float fallback) const;
  std::string_view text(const Node& node, std::string_view name, std::string_view fallback) const;
  /// Empty when missing or of another kind.
  std::vector<std::int64_t> integers(const Node& node, std::string_view name) const;

  /// Numbers of an i64 or i32 tensor that lies in the model file, such as the axes or the shape
  /// that a node takes as an input; nothing when it is of another type, external, or longer than
  /// `most`.
  std::optional<std::vector<std::int64_t>> integers(const Tensor& tensor,
                                                    std::size_t most = 64) const;
  /// The constant tensor behind a value: an initialiser, or the output of a Constant node.
  const Tensor* constant(Index value) const;
};

/// Reads the structure of a model: graphs, subgraphs, functions, types and the places of weights.
/// Errors: E030 another kind of file, E031 cut off, E032 to E040 damaged or not a valid graph,
/// E041 a tensor that does not fit its shape, E045 too large, and those of MappedFile::open.
Result<Model> read(const std::filesystem::path& path);

/// The same from memory, which the model's views point into. `name` stands in errors.
Result<Model> read(std::string_view bytes, const std::string& name);

}  // namespace godwit::formats::onnx
