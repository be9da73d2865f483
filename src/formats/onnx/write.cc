// From ir::Model to the messages of onnx.proto. Field numbers are those of that file.
#include "formats/onnx/write.h"

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/resources.h"
#include "base/table.h"
#include "base/text.h"
#include "formats/onnx/encode.h"
#include "ir/naming.h"

namespace godwit::formats::onnx {
namespace {

constexpr std::uint64_t kMostBytes = (std::uint64_t{1} << 31) - 1;  // protobuf's own limit

using ir::ValueId;

class Writer {
 public:
  Writer(const ir::Model& model, const WriteOptions& options)
      : model_(model), options_(options), names_(model) {}

  /// `data`: what large weights are put into; null: all stay in the model.
  Result<Encoder> model(NewFile* data, std::string location);

 private:
  using TensorPointer = std::shared_ptr<const ir::Tensor>;
  Result<Encoder> graph(ir::GraphId id);
  Status values(const ir::Graph& graph, bool outputs_are_typed, std::uint32_t field, Encoder& out);
  Result<Encoder> function(const ir::Function& row);
  Result<Encoder> node(const ir::Node& row, ir::Index function);
  Result<Encoder> attribute(const ir::Attribute& row);
  Encoder reference(const ir::Reference& row, Encoder out) const;
  Encoder tensor(const TensorPointer& row, std::string_view name) const;
  Result<Encoder> weight(ValueId value);
  Encoder value(ValueId value) const;
  Encoder type(const ir::Type& type) const;
  static Encoder opset(const ir::Opset& row);
  std::int64_t ir_version() const;
  Status check_opset(const ir::Node& row, ir::Index function) const;

  const ir::Model& model_;
  const WriteOptions& options_;
  ir::Naming names_;
  const ir::Function* function_ = nullptr;  // that is being written
  NewFile* data_ = nullptr;
  std::string location_;
};

// The oldest IR version that goes with an opset: ops/onnx_ir.tsv, from the first opset that asks
// for it. Without the table, what the writer needs itself.
std::int64_t oldest_ir_version(std::int64_t opset) {
  static const std::vector<std::pair<std::int64_t, std::int64_t>> rows = [] {
    std::vector<std::pair<std::int64_t, std::int64_t>> out;
    auto text = resource("ops/onnx_ir.tsv");
    const auto table = text ? Table::parse("ops/onnx_ir.tsv", *std::move(text))
                            : Result<Table>(tl::unexpected(text.error()));
    for (std::size_t row = 0; table && row < table->rows(); ++row) {
      const auto first = parse_integer(table->at(row, table->column("opset")));
      const auto version = parse_integer(table->at(row, table->column("ir_version")));
      if (first && version) out.emplace_back(*first, *version);
    }
    return out;
  }();
  std::int64_t out = 3;
  for (const auto& [first, version] : rows) {
    if (opset >= first) out = std::max(out, version);
  }
  return out;
}

std::int64_t Writer::ir_version() const {
  if (options_.ir_version) return options_.ir_version;
  std::int64_t least = std::max<std::int64_t>(4, oldest_ir_version(model_.opset("")));
  if (!model_.functions.empty()) least = std::max<std::int64_t>(least, 8);
  return std::max(least, model_.ir_version);
}

Encoder Writer::opset(const ir::Opset& row) {
  Encoder out;
  return std::move(out.text(1, row.domain).integer(2, row.version));
}

Result<Encoder> Writer::model(NewFile* data, std::string location) {
  data_ = data;
  location_ = std::move(location);
  Encoder out;
  out.integer(1, ir_version()).some_text(2, model_.producer);
  ASSIGN(Encoder main, graph(0));
  out.message(7, std::move(main));
  for (const ir::Opset& row : model_.opsets) out.message(8, opset(row));
  for (const auto& [key, value] : model_.metadata) {
    Encoder entry;
    entry.text(1, key).text(2, value);
    out.message(14, std::move(entry));
  }
  for (const ir::Function& row : model_.functions) {
    ASSIGN(Encoder made, function(row));
    out.message(25, std::move(made));
  }
  return out;
}

bool is_writable(const ir::Type& type) {
  if (type.kind == ir::Type::Kind::kUnknown) return false;
  return type.inner ? is_writable(*type.inner) : type.element != ir::ElementType::kUndefined;
}

Result<Encoder> Writer::graph(ir::GraphId id) {
  const ir::Graph& row = model_.graphs[id];
  Encoder out;
  for (const ir::NodeId each : row.nodes) {
    ASSIGN(Encoder made, node(model_.nodes[each], row.function));
    out.message(1, std::move(made));
  }
  out.text(2, row.name.empty() ? "graph" : row.name);
  for (const ValueId each : row.constants) {
    ASSIGN(Encoder made, weight(each));
    out.message(5, std::move(made));
  }
  for (const ValueId each : row.inputs) out.message(11, value(each));
  if (ir_version() < 4 && id == 0) {  // before, every initialiser had to be an input
    for (const ValueId each : row.constants) {
      if (std::find(row.inputs.begin(), row.inputs.end(), each) == row.inputs.end())
        out.message(11, value(each));
    }
  }
  for (const ValueId each : row.outputs) {
    if (id == 0 && each != ir::kNone && !is_writable(model_.values[each].type)) {
      return fail("E159", {.file = model_.path},
                  {{"what", to_valid_utf8(names_.of(each))},
                   {"found", to_string(model_.values[each].type)}});
    }
    out.message(12, value(each));
  }
  TRY(values(row, true, 13, out));
  return out;
}

Status Writer::values(const ir::Graph& graph, bool outputs_are_typed, std::uint32_t field,
                      Encoder& out) {
  if (!options_.value_types) return {};
  const auto is_output = [&](ValueId value) {
    return outputs_are_typed &&
           std::find(graph.outputs.begin(), graph.outputs.end(), value) != graph.outputs.end();
  };
  for (const ir::NodeId id : graph.nodes) {
    for (const ValueId each : model_.nodes[id].outputs) {
      if (each != ir::kNone && is_writable(model_.values[each].type) && !is_output(each))
        out.message(field, value(each));
    }
  }
  return {};
}

Encoder Writer::value(ValueId id) const {
  Encoder out;
  out.text(1, names_.of(id));
  if (id != ir::kNone && is_writable(model_.values[id].type))
    out.message(2, type(model_.values[id].type));
  return out;
}

Encoder Writer::type(const ir::Type& row) const {
  using Kind = ir::Type::Kind;
  Encoder out, inner;
  if (row.kind == Kind::kMap)
    inner.integer(1, static_cast<std::int64_t>(row.element)).message(2, type(*row.inner));
  if (row.kind == Kind::kSequence || row.kind == Kind::kOptional)
    inner.message(1, type(*row.inner));
  if (row.inner) {
    const std::uint32_t field = row.kind == Kind::kSequence ? 4u : row.kind == Kind::kMap ? 5u : 9u;
    return std::move(out.message(field, std::move(inner)));
  }
  inner.integer(1, static_cast<std::int64_t>(row.element));
  if (row.shape) {
    Encoder shape;
    for (const ir::Dim dim : *row.shape) {
      Encoder one;
      if (dim.is_known())
        one.integer(1, dim.value());
      else if (!dim.is_anonymous())
        one.text(2, dim.to_string());
      shape.message(1, std::move(one));
    }
    inner.message(2, std::move(shape));
  }
  return std::move(out.message(row.kind == Kind::kSparse ? 8u : 1u, std::move(inner)));
}

Encoder Writer::tensor(const TensorPointer& row, std::string_view name) const {
  Encoder out;
  for (const std::int64_t dim : row->dims()) out.integer(1, dim);
  out.integer(2, static_cast<std::int64_t>(row->type()));
  if (row->type() == ir::ElementType::kString) {
    for (const std::string& each : row->values<std::string>()) out.text(6, each);
  }
  out.some_text(8, name);
  if (row->type() != ir::ElementType::kString && !row->empty()) out.values(9, row);
  return out;
}

Encoder entry(std::string_view key, std::string_view value) {
  Encoder out;
  return std::move(out.text(1, key).text(2, value));
}

Result<Encoder> Writer::weight(ValueId id) {
  const TensorPointer& row = model_.values[id].constant;
  const bool is_inside = !data_ || row->type() == ir::ElementType::kString ||
                         packed_bytes(*row) < options_.external_from;
  if (is_inside) return tensor(row, names_.of(id));
  TRY(data_->align(options_.alignment));
  const std::uint64_t offset = data_->size();
  TRY(write_values(*row, *data_));
  Encoder out;
  for (const std::int64_t dim : row->dims()) out.integer(1, dim);
  out.integer(2, static_cast<std::int64_t>(row->type())).text(8, names_.of(id));
  out.message(13, entry("location", location_));
  out.message(13, entry("offset", format("{}", offset)));
  out.message(13, entry("length", format("{}", packed_bytes(*row))));
  return std::move(out.integer(14, 1));
}

// One file can say one opset per domain.
Status Writer::check_opset(const ir::Node& row, ir::Index function) const {
  if (model_.function(row)) return {};
  std::int64_t said = function == ir::kNone ? model_.opset(row.domain) : 0;
  if (function != ir::kNone) {
    for (const ir::Opset& each : model_.functions[function].opsets) {
      if (each.domain == row.domain) said = each.version;
    }
  }
  if (row.opset == said) return {};
  return fail("E159", {.file = model_.path},
              {{"what", to_valid_utf8(row.name.empty() ? row.op : row.name)},
               {"found", format("{} {}, {}", row.domain.empty() ? "ai.onnx" : row.domain, row.opset,
                                said)}});
}

Result<Encoder> Writer::node(const ir::Node& row, ir::Index function) {
  TRY(check_opset(row, function));
  Encoder out;
  for (const ValueId each : row.inputs) out.text(1, names_.of(each));
  for (const ValueId each : row.outputs) out.text(2, names_.of(each));
  out.some_text(3, row.name).text(4, row.op);
  for (const ir::Attribute& each : row.attributes) {
    ASSIGN(Encoder made, attribute(each));
    out.message(5, std::move(made));
  }
  return std::move(out.some_text(7, row.domain).some_text(8, row.overload));
}

Result<Encoder> Writer::function(const ir::Function& row) {
  const ir::Graph& body = model_.graphs[row.graph];
  function_ = &row;
  Encoder out;
  out.text(1, row.name);
  for (const ValueId each : body.inputs) out.text(4, names_.of(each));
  for (const ValueId each : body.outputs) out.text(5, names_.of(each));
  for (const std::string& each : row.attributes) out.text(6, each);
  for (const ir::NodeId each : body.nodes) {
    ASSIGN(Encoder made, node(model_.nodes[each], body.function));
    out.message(7, std::move(made));
  }
  for (const ir::Opset& each : row.opsets) out.message(9, opset(each));
  out.text(10, row.domain);
  for (const ir::Attribute& each : row.defaults) {
    ASSIGN(Encoder made, attribute(each));
    out.message(11, std::move(made));
  }
  TRY(values(body, false, 12, out));
  return std::move(out.some_text(13, row.overload));
}

// AttributeProto.AttributeType of each alternative of the payload, in their order.
constexpr std::int64_t kAttributeTypes[] = {2, 1, 3, 7, 6, 8, 4, 9, 5, 10, 13};

// The kind of what a reference stands for is known where the function has a default for it.
Encoder Writer::reference(const ir::Reference& row, Encoder out) const {
  for (const ir::Attribute& each : function_->defaults) {
    if (each.name == row.name) out.integer(20, kAttributeTypes[each.value.index()]);
  }
  return std::move(out.text(21, row.name));
}

Result<Encoder> Writer::attribute(const ir::Attribute& row) {
  Encoder out;
  out.text(1, row.name);
  if (const auto* one = std::get_if<ir::Reference>(&row.value)) {
    return function_ ? reference(*one, std::move(out)) : std::move(out.text(21, one->name));
  }
  if (const auto* one = std::get_if<float>(&row.value)) out.number(2, *one);
  if (const auto* one = std::get_if<std::int64_t>(&row.value)) out.integer(3, *one);
  if (const auto* one = std::get_if<std::string>(&row.value)) out.text(4, *one);
  if (const auto* one = std::get_if<TensorPointer>(&row.value)) out.message(5, tensor(*one, ""));
  if (const auto* one = std::get_if<ir::Type>(&row.value)) out.message(14, type(*one));
  if (const auto* one = std::get_if<ir::Subgraph>(&row.value)) {
    ASSIGN(Encoder inner, graph(one->graph));
    out.message(6, std::move(inner));
  }
  if (const auto* many = std::get_if<std::vector<float>>(&row.value)) {
    for (const float each : *many) out.number(7, each);
  }
  if (const auto* many = std::get_if<std::vector<std::int64_t>>(&row.value)) {
    for (const std::int64_t each : *many) out.integer(8, each);
  }
  if (const auto* many = std::get_if<std::vector<std::string>>(&row.value)) {
    for (const std::string& each : *many) out.text(9, each);
  }
  if (const auto* many = std::get_if<std::vector<TensorPointer>>(&row.value)) {
    for (const TensorPointer& each : *many) out.message(10, tensor(each, ""));
  }
  if (const auto* many = std::get_if<std::vector<ir::Subgraph>>(&row.value)) {
    for (const ir::Subgraph& each : *many) {
      ASSIGN(Encoder inner, graph(each.graph));
      out.message(11, std::move(inner));
    }
  }
  return std::move(out.integer(20, kAttributeTypes[row.value.index()]));
}

Status write_one(const Encoder& bytes, const std::filesystem::path& path) {
  ASSIGN(NewFile file, NewFile::open(path));
  TRY(bytes.write(file));
  return file.commit();
}

}  // namespace

Status write(const ir::Model& model, const std::filesystem::path& path,
             const WriteOptions& options) {
  Writer writer(model, options);
  if (options.external != External::kAlways) {
    ASSIGN(const Encoder whole, writer.model(nullptr, ""));
    if (whole.size() <= kMostBytes) return write_one(whole, path);
    if (options.external == External::kNever) {
      return fail("E179", {.file = show_path(path)},
                  {{"path", show_path(path)}, {"bytes", with_thousands(whole.size())}});
    }
  }
  const std::string location = path.filename().string() + ".data";
  ASSIGN(NewFile data, NewFile::open(path.parent_path() / location));
  ASSIGN(const Encoder bytes, writer.model(&data, location));
  if (bytes.size() > kMostBytes) {
    return fail("E179", {.file = show_path(path)},
                {{"path", show_path(path)}, {"bytes", with_thousands(bytes.size())}});
  }
  TRY(data.commit());
  return write_one(bytes, path);
}

}  // namespace godwit::formats::onnx
