// Writes what `parse` reads; one line per node, graphs of nodes indented behind their inputs.
#include "ir/print.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.h"
#include "ir/naming.h"
#include "ir/number.h"
#include "ir/subgraphs.h"
#include "ir/words.h"

namespace godwit::ir {
namespace {

constexpr std::int64_t kBriefNumbers = 8;  // constants up to here are printed whole for people too

class Printer {
 public:
  Printer(const Model& model, Detail detail) : model_(model), names_(model), detail_(detail) {}
  std::string run();

 private:
  void header();
  void function(const Function& function);
  void graph(GraphId graph);
  void list_of_values(const Graph& graph, bool outputs_are_typed);
  void body(const Graph& graph);
  void node(const Node& node);
  void attributes(const Node& node);
  void payload(const Attribute::Payload& value);
  void tensor(const Tensor& tensor);
  void numbers(const Tensor& tensor);
  void declare(ValueId value, bool with_constant);
  std::string opsets(const std::vector<Opset>& list) const;
  template <class List, class Each>
  void joined(const List& list, Each&& each) {
    bool is_first = true;
    for (const auto& item : list) {
      if (!std::exchange(is_first, false)) out_ += ", ";
      each(item);
    }
  }
  void name(ValueId value) { out_ += value == kNone ? "\"\"" : words::name(names_.of(value)); }
  void line() { out_ += "\n" + std::string(2 * depth_, ' '); }

  const Model& model_;
  Naming names_;
  Detail detail_;
  std::string out_;
  std::size_t depth_ = 0;
};

std::string Printer::opsets(const std::vector<Opset>& list) const {
  std::string out = "opset_import: [";
  for (std::size_t i = 0; i < list.size(); ++i)
    out += format("{}{}: {}", i ? ", " : "", words::quoted(list[i].domain), list[i].version);
  return out + "]";
}

void Printer::header() {
  out_ += format("<ir_version: {}, {}", model_.ir_version, opsets(model_.opsets));
  if (!model_.producer.empty()) out_ += ", producer_name: " + words::quoted(model_.producer);
  if (!model_.metadata.empty()) {
    out_ += ", metadata_props: [";
    joined(model_.metadata, [&](const auto& row) {
      out_ += words::quoted(row.first) + ": " + words::quoted(row.second);
    });
    out_ += "]";
  }
  out_ += ">\n";
}

std::string Printer::run() {
  header();
  if (!model_.graphs.empty()) graph(0);
  out_ += "\n";
  for (const Function& row : model_.functions) function(row);
  return std::move(out_);
}

void Printer::function(const Function& row) {
  out_ += format("\n<domain: {}, {}", words::quoted(row.domain), opsets(row.opsets));
  if (!row.overload.empty()) out_ += ", overload: " + words::quoted(row.overload);
  out_ += ">\n" + words::name(row.name);
  if (!row.attributes.empty() || !row.defaults.empty()) {
    out_ += " <";
    joined(row.attributes, [&](const std::string& each) { out_ += words::name(each); });
    if (!row.attributes.empty() && !row.defaults.empty()) out_ += ", ";
    joined(row.defaults, [&](const Attribute& each) {
      out_ += format("{}: {} = ", words::name(each.name), words::kind(each.value));
      payload(each.value);
    });
    out_ += ">";
  }
  const Graph& graph = model_.graphs[row.graph];
  out_ += " (";
  joined(graph.inputs, [&](ValueId value) { name(value); });
  out_ += ") => (";
  joined(graph.outputs, [&](ValueId value) { name(value); });
  out_ += ")";
  list_of_values(graph, false);
  body(graph);
  out_ += "\n";
}

void Printer::declare(ValueId value, bool with_constant) {
  if (value == kNone) return name(value);
  const Value& row = model_.values[value];
  if (row.type.kind != Type::Kind::kUnknown) out_ += words::type(row.type) + " ";
  name(value);
  if (!with_constant || !row.constant) return;
  out_ += " = ";
  numbers(*row.constant);
}

void Printer::graph(GraphId id) {
  const Graph& row = model_.graphs[id];
  out_ += words::name(row.name.empty() ? "graph" : row.name) + " (";
  joined(row.inputs, [&](ValueId value) { declare(value, true); });
  out_ += ") => (";
  joined(row.outputs, [&](ValueId value) { declare(value, false); });
  out_ += ")";
  list_of_values(row, true);
  body(row);
}

// Constants, and the types of what nodes make; inputs and outputs of a graph have said theirs.
void Printer::list_of_values(const Graph& graph, bool outputs_are_typed) {
  std::set<ValueId> said(graph.inputs.begin(), graph.inputs.end());
  if (outputs_are_typed) said.insert(graph.outputs.begin(), graph.outputs.end());
  std::vector<ValueId> rows;
  for (const ValueId value : graph.constants) {
    if (std::find(graph.inputs.begin(), graph.inputs.end(), value) == graph.inputs.end())
      rows.push_back(value);
  }
  for (const NodeId node : graph.nodes) {
    if (detail_ == Detail::kBrief) break;  // they stand behind their nodes
    for (const ValueId value : model_.nodes[node].outputs) {
      if (value == kNone || said.count(value)) continue;
      if (model_.values[value].type.kind != Type::Kind::kUnknown) rows.push_back(value);
    }
  }
  if (rows.empty()) return;
  line();
  out_ += "<";
  bool is_first = true;
  for (const ValueId value : rows) {
    if (!std::exchange(is_first, false)) {
      out_ += ",";
      line();
      out_ += " ";
    }
    declare(value, true);
  }
  out_ += ">";
}

void Printer::body(const Graph& graph) {
  line();
  out_ += "{";
  ++depth_;
  for (const NodeId id : graph.nodes) {
    line();
    node(model_.nodes[id]);
  }
  --depth_;
  line();
  out_ += "}";
}

void Printer::node(const Node& node) {
  if (!node.name.empty()) out_ += "[" + words::name(node.name) + "] ";
  joined(node.outputs, [&](ValueId value) { name(value); });
  out_ += node.outputs.empty() ? "= " : " = ";
  if (!node.domain.empty()) out_ += words::domain(node.domain) + ".";
  out_ += words::name(node.op);
  if (!node.overload.empty()) out_ += ":" + words::name(node.overload);
  const bool has_graphs = !subgraphs(node).empty();
  if (!has_graphs) attributes(node);
  out_ += has_graphs || node.attributes.empty() ? "(" : " (";
  joined(node.inputs, [&](ValueId value) { name(value); });
  out_ += ")";
  if (has_graphs) attributes(node);
  if (detail_ == Detail::kFull || node.outputs.empty()) return;
  out_ += "  # ";
  joined(node.outputs, [&](ValueId value) {
    out_ += value == kNone ? "-" : to_string(model_.values[value].type);
  });
}

void Printer::attributes(const Node& node) {
  if (node.attributes.empty()) return;
  out_ += " <";
  joined(node.attributes, [&](const Attribute& row) {
    out_ += words::name(row.name);
    const std::string_view kind = words::kind(row.value);
    out_ += kind == "undefined" ? " = " : format(": {} = ", kind);
    payload(row.value);
  });
  out_ += ">";
}

void Printer::payload(const Attribute::Payload& value) {
  const auto number = [&](auto each) { out_ += format("{}", each); };
  const auto text = [&](const std::string& each) { out_ += words::quoted(each); };
  const auto nested = [&](const Subgraph& each) {
    ++depth_;
    graph(each.graph);
    --depth_;
  };
  const auto list = [&](const auto& items, auto&& each) {
    out_ += "[";
    joined(items, each);
    out_ += "]";
  };
  if (const auto* one = std::get_if<std::int64_t>(&value)) number(*one);
  if (const auto* one = std::get_if<float>(&value)) number(*one);
  if (const auto* one = std::get_if<std::string>(&value)) text(*one);
  if (const auto* one = std::get_if<std::shared_ptr<const Tensor>>(&value)) tensor(**one);
  if (const auto* one = std::get_if<Subgraph>(&value)) nested(*one);
  if (const auto* one = std::get_if<Type>(&value)) out_ += words::type(*one);
  if (const auto* one = std::get_if<Reference>(&value)) out_ += "@" + one->name;
  if (const auto* many = std::get_if<std::vector<std::int64_t>>(&value)) list(*many, number);
  if (const auto* many = std::get_if<std::vector<float>>(&value)) list(*many, number);
  if (const auto* many = std::get_if<std::vector<std::string>>(&value)) list(*many, text);
  if (const auto* many = std::get_if<std::vector<Subgraph>>(&value)) list(*many, nested);
  if (const auto* many = std::get_if<std::vector<std::shared_ptr<const Tensor>>>(&value))
    list(*many, [&](const std::shared_ptr<const Tensor>& each) { tensor(*each); });
}

void Printer::tensor(const Tensor& tensor) {
  const Shape shape(tensor.dims().begin(), tensor.dims().end());
  out_ += words::type(Type::tensor(tensor.type(), shape)) + " ";
  numbers(tensor);
}

// One number as the standard writes it: small floats as their bits, complex numbers as two.
std::string number(const Tensor& tensor, std::size_t i) {
  const ElementType type = tensor.type();
  const std::byte* const data = tensor.data();
  switch (type) {
    case ElementType::kString: return words::quoted(tensor.values<std::string>()[i]);
    case ElementType::kFloat: return format("{}", words::load<float>(data, i));
    case ElementType::kDouble: return format("{}", words::load<double>(data, i));
    case ElementType::kComplex64:
      return format("{}, {}", words::load<float>(data, 2 * i), words::load<float>(data, 2 * i + 1));
    case ElementType::kComplex128:
      return format("{}, {}", words::load<double>(data, 2 * i),
                    words::load<double>(data, 2 * i + 1));
    case ElementType::kUint64: return format("{}", words::load<std::uint64_t>(data, i));
    default: break;
  }
  if (!is_floating(type)) return format("{}", integer_at(type, data, i));
  return bytes_in_memory(type) == 2 ? format("{}", words::load<std::uint16_t>(data, i))
                                    : format("{}", words::load<std::uint8_t>(data, i));
}

void Printer::numbers(const Tensor& tensor) {
  const bool is_cut = detail_ == Detail::kBrief && tensor.count() > kBriefNumbers;
  const auto shown = static_cast<std::size_t>(is_cut ? kBriefNumbers / 2 : tensor.count());
  out_ += "{";
  for (std::size_t i = 0; i < shown; ++i) out_ += (i ? ", " : "") + number(tensor, i);
  out_ += is_cut ? ", ...}" : "}";
}

}  // namespace

std::string print(const Model& model, Detail detail) { return Printer(model, detail).run(); }

}  // namespace godwit::ir
