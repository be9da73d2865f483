// Builds ir::Model row by row: both keep values, nodes and graphs in tables of the same order.
#include "formats/onnx/import.h"

#include <bit>
#include <map>
#include <utility>

#include "base/text.h"
#include "formats/onnx/decode.h"
#include "formats/onnx/external.h"
#include "formats/onnx/types.h"
#include "formats/onnx/walk.h"
#include "formats/onnx/wire.h"
#include "ir/parse.h"
#include "ir/verify.h"

namespace godwit::formats::onnx {
namespace {

using Kind = Attribute::Kind;

class Importer {
 public:
  Importer(std::shared_ptr<const Model> source, std::filesystem::path folder)
      : source_(std::move(source)), in_(*source_), folder_(std::move(folder)) {}
  Result<ir::Model> run();

 private:
  void add_values();
  Status add_constants();
  Status add_nodes();
  Status add_functions();
  void add_graphs();
  std::vector<ir::Opset> opsets(Range range) const;
  std::vector<ir::ValueId> operands(Range range) const;
  ir::Type type(const Type& row, std::span<const Dim> dims) const;
  Result<std::shared_ptr<const ir::Tensor>> tensor(Index index);
  Result<ir::Tensor> external(const Tensor& row);
  Result<ir::Attribute> attribute(const Attribute& row);
  Result<ir::Attribute::Payload> payload(const Attribute& row);

  std::shared_ptr<const Model> source_;
  const Model& in_;
  std::filesystem::path folder_;
  ir::Model out_;
  std::map<std::string_view, std::shared_ptr<const MappedFile>> files_;
};

Result<ir::Model> Importer::run() {
  TRY(external_files(in_, folder_));  // only for its checks of where the data may lie
  out_.path = in_.path;
  out_.ir_version = in_.ir_version;
  out_.producer = std::string(in_.producer);
  for (const Property& row : in_.metadata)
    out_.metadata.emplace_back(std::string(row.key), std::string(row.value));
  out_.opsets = opsets(in_.opsets);
  add_values();
  add_graphs();
  TRY(add_constants());
  TRY(add_nodes());
  TRY(add_functions());
  return std::move(out_);
}

std::vector<ir::Opset> Importer::opsets(Range range) const {
  std::vector<ir::Opset> out;
  for (const Opset& row : Model::rows(in_.all_opsets, range))
    out.push_back({std::string(row.domain), row.version});
  return out;
}

std::vector<ir::ValueId> Importer::operands(Range range) const {
  const std::span<const Index> rows = Model::rows(in_.operands, range);
  return {rows.begin(), rows.end()};
}

ir::Type Importer::type(const Type& row, std::span<const Dim> dims) const {
  if (row.kind == Type::Kind::kUnknown) return {};
  std::optional<ir::Shape> shape;
  if (row.has_shape) {
    shape.emplace();
    for (const Dim& dim : dims) {
      shape->push_back(dim.size >= 0        ? ir::Dim(dim.size)
                       : dim.symbol.empty() ? ir::Dim::unknown()
                                            : ir::parse_dim(to_valid_utf8(dim.symbol)));
    }
  }
  ir::Type out = ir::Type::tensor(row.element, std::move(shape));
  for (std::size_t i = row.inner.size() + 1; i-- > 0;) {
    const Type::Kind around = i == 0 ? row.kind : row.inner[i - 1];
    const bool is_around = around == Type::Kind::kSequence || around == Type::Kind::kOptional ||
                           around == Type::Kind::kMap;
    if (is_around) out = ir::Type::around(around, std::move(out));
    if (around == Type::Kind::kMap) out.element = row.key;
  }
  return out;
}

void Importer::add_values() {
  out_.values.resize(in_.values.size());
  for (std::size_t i = 0; i < in_.values.size(); ++i) {
    out_.values[i].name = std::string(in_.values[i].name);
    out_.values[i].type = type(in_.values[i].type, in_.shape(in_.values[i].type));
  }
}

void Importer::add_graphs() {
  for (const Graph& row : in_.graphs) {
    ir::Graph graph{.name = std::string(row.name), .owner = row.owner, .function = row.function};
    for (Index i = 0; i < row.nodes.count; ++i) graph.nodes.push_back(row.nodes.first + i);
    graph.inputs = operands(row.inputs);
    graph.outputs = operands(row.outputs);
    out_.graphs.push_back(std::move(graph));
  }
  for (const ir::ValueId value : out_.main().inputs) out_.values[value].is_input = true;
}

Status Importer::add_constants() {
  std::vector<Index> graph_of(in_.tensors.size(), kNone);
  for (Index graph = 0; graph < in_.graphs.size(); ++graph) {
    const Range rows = in_.graphs[graph].initializers;
    for (Index i = 0; i < rows.count; ++i) graph_of[rows.first + i] = graph;
  }
  for (Index value = 0; value < in_.values.size(); ++value) {
    const Index row = in_.values[value].tensor;
    if (row == kNone) continue;
    ASSIGN(out_.values[value].constant, tensor(row));
    if (graph_of[row] != kNone) out_.graphs[graph_of[row]].constants.push_back(value);
  }
  return {};
}

Status Importer::add_nodes() {
  std::vector<Index> graph_of(in_.nodes.size(), 0);
  for (Index graph = 0; graph < in_.graphs.size(); ++graph) {
    const Range rows = in_.graphs[graph].nodes;
    for (Index i = 0; i < rows.count; ++i) graph_of[rows.first + i] = graph;
  }
  out_.nodes.reserve(in_.nodes.size());
  for (Index i = 0; i < in_.nodes.size(); ++i) {
    const Node& row = in_.nodes[i];
    ir::Node node{.name = std::string(row.name),
                  .op = std::string(row.op),
                  .domain = std::string(row.domain),
                  .overload = std::string(row.overload),
                  .inputs = operands(row.inputs),
                  .outputs = operands(row.outputs)};
    for (const Opset& opset : in_.opset_imports(in_.graphs[graph_of[i]])) {
      if (opset.domain == row.domain) node.opset = opset.version;
    }
    for (const Attribute& one : Model::rows(in_.attributes, row.attributes)) {
      ASSIGN(ir::Attribute converted, attribute(one));
      node.attributes.push_back(std::move(converted));
    }
    out_.add_node(std::move(node));
  }
  return {};
}

Status Importer::add_functions() {
  for (const Function& row : in_.functions) {
    ir::Function function{.domain = std::string(row.domain),
                          .name = std::string(row.name),
                          .overload = std::string(row.overload),
                          .opsets = opsets(row.opsets),
                          .attributes = {row.needed.begin(), row.needed.end()},
                          .graph = row.graph};
    for (const Attribute& one : Model::rows(in_.attributes, row.attributes)) {
      ASSIGN(ir::Attribute converted, attribute(one));
      function.defaults.push_back(std::move(converted));
    }
    out_.functions.push_back(std::move(function));
  }
  return {};
}

Result<ir::Tensor> Importer::external(const Tensor& row) {
  if (ir::bits(row.element) == 0) {  // strings: no bytes that could be pointed at
    return fail("E144", {.file = in_.path},
                {{"path", in_.path}, {"what", describe("tensor", row.name)}});
  }
  const Args args = {{"path", in_.path},
                     {"what", describe("tensor", row.name)},
                     {"location", to_valid_utf8(row.location)}};
  auto at = files_.find(row.location);
  if (at == files_.end()) {
    ASSIGN(const std::filesystem::path path, inside(folder_, row.location));
    Result<MappedFile> file = MappedFile::open(path);
    if (!file) return fail("E141", {.file = in_.path}, args);
    at = files_.emplace(row.location, std::make_shared<MappedFile>(*std::move(file))).first;
  }
  const std::string_view all = at->second->bytes();
  const auto offset = static_cast<std::uint64_t>(row.offset);
  if (offset > all.size() || row.bytes > all.size() - offset) {
    Args more = args;
    more.emplace_back("found", with_thousands(all.size()));
    more.emplace_back("expected", with_thousands(offset + row.bytes));
    return fail("E142", {.file = in_.path}, std::move(more));
  }
  const std::span<const std::int64_t> dims = in_.shape(row);
  return from_bytes(row.element, ir::Sizes(dims.begin(), dims.end()), all.substr(offset, row.bytes),
                    at->second);
}

Result<std::shared_ptr<const ir::Tensor>> Importer::tensor(Index index) {
  const Tensor& row = in_.tensors[index];
  ASSIGN(ir::Tensor out,
         row.external ? external(row) : decode(row, in_.shape(row), source_, in_.path));
  return std::make_shared<const ir::Tensor>(std::move(out));
}

Result<ir::Attribute> Importer::attribute(const Attribute& row) {
  if (!row.reference.empty())
    return ir::Attribute{std::string(row.name), ir::Reference{std::string(row.reference)}};
  ASSIGN(ir::Attribute::Payload value, payload(row));
  return ir::Attribute{std::string(row.name), std::move(value)};
}

float to_float(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

// Fields of AttributeProto by what they hold: 2 float, 3 integer, 4 string, 7 floats, 8 integers,
// 9 strings, 14 type.
struct Scalars {
  float number = 0;
  std::int64_t integer = 0;
  std::string text{};
  std::vector<float> numbers{};
  std::vector<std::int64_t> integers{};
  std::vector<std::string> texts{};
  std::string_view type{};
};

void read_packed(const Field& field, Scalars& out) {
  if (field.id == 7) {
    Cursor cursor(field.bytes);
    for (std::size_t at = 0; at + 4 <= field.bytes.size(); at += 4) {
      std::uint64_t bits = 0;
      for (std::size_t i = 0; i < 4; ++i)
        bits |= std::uint64_t{static_cast<unsigned char>(field.bytes[at + i])} << (8 * i);
      out.numbers.push_back(to_float(bits));
    }
    return;
  }
  Cursor cursor(field.bytes);
  std::uint64_t number = 0;
  while (!cursor.done() && cursor.varint(number) == Fault::kFine)
    out.integers.push_back(static_cast<std::int64_t>(number));
}

Scalars read_scalars(std::string_view body) {
  Scalars out;
  Cursor cursor(body);
  Field field;
  while (!cursor.done() && cursor.next(field) == Fault::kFine) {
    switch (field.id) {
      case 2: out.number = to_float(field.number); break;
      case 3: out.integer = static_cast<std::int64_t>(field.number); break;
      case 4: out.text = std::string(field.bytes); break;
      case 7:
      case 8:
        if (field.wire == Wire::kBytes)
          read_packed(field, out);
        else if (field.id == 7)
          out.numbers.push_back(to_float(field.number));
        else
          out.integers.push_back(static_cast<std::int64_t>(field.number));
        break;
      case 9: out.texts.emplace_back(field.bytes); break;
      case 14: out.type = field.bytes; break;
      default: break;
    }
  }
  return out;
}

Result<ir::Attribute::Payload> Importer::payload(const Attribute& row) {
  Scalars scalars = read_scalars(row.body);
  switch (row.kind) {
    case Kind::kFloat: return scalars.number;
    case Kind::kInt: return scalars.integer;
    case Kind::kString: return std::move(scalars.text);
    case Kind::kFloats: return std::move(scalars.numbers);
    case Kind::kInts: return std::move(scalars.integers);
    case Kind::kStrings: return std::move(scalars.texts);
    case Kind::kGraph:
      if (row.graphs.count) return ir::Subgraph{row.graphs.first};
      break;
    case Kind::kGraphs: {
      std::vector<ir::Subgraph> graphs;
      for (Index i = 0; i < row.graphs.count; ++i) graphs.push_back({row.graphs.first + i});
      return graphs;
    }
    case Kind::kTensor:
    case Kind::kSparse:
      if (row.tensors.count) return tensor(row.tensors.first);
      break;
    case Kind::kTensors:
    case Kind::kSparses: {
      std::vector<std::shared_ptr<const ir::Tensor>> tensors;
      for (Index i = 0; i < row.tensors.count; ++i) {
        ASSIGN(tensors.emplace_back(), tensor(row.tensors.first + i));
      }
      return tensors;
    }
    case Kind::kType: {
      std::vector<Dim> dims;
      Type parsed;
      const Message message{.bytes = scalars.type, .kind = "value"};
      TRY(read_type(Walk(scalars.type, in_.path), message, dims, parsed));
      return type(parsed, dims);
    }
    default: break;
  }
  return fail("E144", {.file = in_.path},
              {{"path", in_.path}, {"what", describe("attribute", row.name)}});
}

}  // namespace

Result<ir::Model> to_graph(Model model, const std::filesystem::path& folder) {
  return Importer(std::make_shared<const Model>(std::move(model)), folder).run();
}

Result<ir::Model> load(const std::filesystem::path& path) {
  ASSIGN(Model model, read(path));
  ASSIGN(ir::Model graph,
         to_graph(std::move(model), path.parent_path().empty() ? "." : path.parent_path()));
  TRY(ir::verify(graph));
  return graph;
}

}  // namespace godwit::formats::onnx
