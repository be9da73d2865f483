// A reader by recursive descent; values are found by name as each node is read, so that every fault
// of the dataflow has a place.
#include "ir/parse.h"

#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "ir/parse_attribute.h"
#include "ir/parse_parts.h"
#include "ir/subgraphs.h"

namespace godwit::ir {
namespace {

constexpr int kDeepest = 32;  // graphs inside graphs, as in files

using Types = std::unordered_map<std::string, Type>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

class Parser {
 public:
  Parser(std::string_view text, std::string name) : in_(text, name) { out_.path = std::move(name); }
  Result<Model> run();

 private:
  Status header(Function* function);
  Status entry(const std::string& key, Function* function);
  Result<Pairs> pairs();
  Result<std::vector<Opset>> opsets();
  Status function();
  Status function_attribute(Function& row);
  Result<GraphId> graph();
  Status values(GraphId id, Types& types);
  Status input(GraphId id);
  Status body(GraphId id, const std::vector<std::string>& outputs);
  Status node(GraphId id);
  Status operation(Node& node);
  Status operands(Node& node);
  Status attributes(std::vector<Attribute>& list);

  template <class Each>
  Status list(std::string_view open, std::string_view close, Each&& each);
  Result<ValueId> define(GraphId graph, const std::string& name);
  Result<ValueId> find(const std::string& name) const;
  std::int64_t opset(std::string_view domain) const;

  struct Undo {
    std::string name;
    ValueId before;
  };
  Lexer in_;
  Model out_;
  std::unordered_map<std::string, ValueId> named_;  // what a name means here
  std::vector<GraphId> made_in_;                    // per value
  std::vector<Undo> undo_;
  const Types* types_ = nullptr;  // that the graph declares for values it makes
  Index function_ = kNone;
  int depth_ = 0;
};

template <class Each>
Status Parser::list(std::string_view open, std::string_view close, Each&& each) {
  TRY(in_.expect(open));
  if (in_.accept(close)) return {};
  do {
    TRY(each());
  } while (in_.accept(","));
  return in_.expect(close);
}

Result<Model> Parser::run() {
  TRY(header(nullptr));
  ASSIGN(const GraphId main, graph());
  (void)main;
  while (in_.peek().kind != Token::Kind::kEnd) TRY(function());
  return std::move(out_);
}

Status Parser::header(Function* function) {
  if (!in_.is("<")) return {};
  return list("<", ">", [&]() -> Status {
    ASSIGN(const std::string key, in_.identifier());
    TRY(in_.expect(":"));
    return entry(key, function);
  });
}

Status Parser::entry(const std::string& key, Function* function) {
  if (key == "opset_import") {
    ASSIGN((function ? function->opsets : out_.opsets), opsets());
    return {};
  }
  if (key == "metadata_props") {
    ASSIGN(Pairs rows, pairs());
    if (!function) out_.metadata = std::move(rows);
    return {};
  }
  if (in_.peek().kind == Token::Kind::kInteger) {
    ASSIGN(const std::int64_t number, in_.integer());
    if (key == "ir_version") out_.ir_version = number;
    return {};
  }
  ASSIGN(std::string text, in_.string());
  if (function && key == "domain")
    function->domain = std::move(text);
  else if (function && key == "overload")
    function->overload = std::move(text);
  else if (key == "producer_name")
    out_.producer = std::move(text);
  return {};  // other entries say nothing about the graph
}

Result<Pairs> Parser::pairs() {
  Pairs out;
  TRY(list("[", "]", [&]() -> Status {
    ASSIGN(std::string key, in_.string());
    TRY(in_.expect(":"));
    ASSIGN(std::string value, in_.string());
    out.emplace_back(std::move(key), std::move(value));
    return {};
  }));
  return out;
}

Result<std::vector<Opset>> Parser::opsets() {
  std::vector<Opset> out;
  TRY(list("[", "]", [&]() -> Status {
    ASSIGN(std::string domain, in_.string());
    TRY(in_.expect(":"));
    ASSIGN(const std::int64_t version, in_.integer());
    if (domain == "ai.onnx") domain.clear();
    out.push_back({std::move(domain), version});
    return {};
  }));
  return out;
}

std::int64_t Parser::opset(std::string_view domain) const {
  if (function_ == kNone) return out_.opset(domain);
  for (const Opset& row : out_.functions[function_].opsets) {
    if (row.domain == domain) return row.version;
  }
  return 0;
}

Result<ValueId> Parser::define(GraphId graph, const std::string& name) {
  const auto known = named_.find(name);
  const ValueId before = known == named_.end() ? kNone : known->second;
  if (before != kNone && made_in_[before] == graph)
    return in_.fail_at("E168", {{"value", to_valid_utf8(name)}});
  const ValueId value = out_.add_value(name);
  if (types_) {
    if (const auto type = types_->find(name); type != types_->end())
      out_.values[value].type = type->second;
  }
  made_in_.push_back(graph);
  named_[name] = value;
  undo_.push_back({name, before});
  return value;
}

Result<ValueId> Parser::find(const std::string& name) const {
  if (name.empty()) return kNone;
  const auto known = named_.find(name);
  if (known != named_.end() && known->second != kNone) return known->second;
  return in_.fail_at("E167", {{"value", to_valid_utf8(name)}});
}

Status Parser::input(GraphId id) {
  Type type;
  if (starts_type(in_.peek())) {
    ASSIGN(type, parse_type(in_));
  }
  ASSIGN(const std::string name, in_.name());
  ASSIGN(const ValueId value, define(id, name));
  out_.graphs[id].inputs.push_back(value);
  out_.values[value].is_input = id == 0;
  out_.values[value].type = type;
  if (!in_.accept("=")) return {};
  ASSIGN(Tensor held, parse_numbers(in_, type));
  out_.values[value].constant = std::make_shared<const Tensor>(std::move(held));
  out_.graphs[id].constants.push_back(value);
  return {};
}

// Constants, and types of values that nodes make.
Status Parser::values(GraphId id, Types& types) {
  return list("<", ">", [&]() -> Status {
    if (!starts_type(in_.peek())) return in_.wrong("type");
    ASSIGN(Type type, parse_type(in_));
    ASSIGN(const std::string name, in_.name());
    if (!in_.accept("=")) {
      types[name] = std::move(type);
      return {};
    }
    ASSIGN(Tensor held, parse_numbers(in_, type));
    // What was an input before is its default; else a constant of its own.
    const auto known = named_.find(name);
    const bool is_input = known != named_.end() && known->second != kNone &&
                          made_in_[known->second] == id && !out_.values[known->second].constant;
    ValueId value = is_input ? known->second : kNone;
    if (is_input && !unify(out_.values[value].type, type)) return in_.wrong("type");
    if (!is_input) {
      ASSIGN(value, define(id, name));
      out_.values[value].type = std::move(type);
    }
    out_.values[value].constant = std::make_shared<const Tensor>(std::move(held));
    out_.graphs[id].constants.push_back(value);
    return {};
  });
}

Result<GraphId> Parser::graph() {
  if (++depth_ > kDeepest) return in_.fail_at("E034", {{"limit", format("{}", kDeepest)}});
  const auto id = static_cast<GraphId>(out_.graphs.size());
  out_.graphs.push_back({.function = function_});
  const std::size_t mark = undo_.size();
  Types types;
  const Types* const outer = std::exchange(types_, nullptr);
  ASSIGN(out_.graphs[id].name, in_.name());
  TRY(list("(", ")", [&] { return input(id); }));
  TRY(in_.expect("=>"));
  std::vector<std::string> outputs;
  TRY(list("(", ")", [&]() -> Status {
    Type type;
    if (starts_type(in_.peek())) {
      ASSIGN(type, parse_type(in_));
    }
    ASSIGN(outputs.emplace_back(), in_.name());
    types[outputs.back()] = std::move(type);
    return {};
  }));
  if (in_.is("<")) TRY(values(id, types));
  types_ = &types;
  TRY(body(id, outputs));
  types_ = outer;
  for (; undo_.size() > mark; undo_.pop_back()) named_[undo_.back().name] = undo_.back().before;
  --depth_;
  return id;
}

Status Parser::body(GraphId id, const std::vector<std::string>& outputs) {
  TRY(in_.expect("{"));
  while (!in_.accept("}")) TRY(node(id));
  for (const std::string& name : outputs) {
    ASSIGN(const ValueId value, find(name));
    out_.graphs[id].outputs.push_back(value);
  }
  return {};
}

Status Parser::node(GraphId id) {
  Node row;
  if (in_.accept("[")) {
    ASSIGN(row.name, in_.name());
    TRY(in_.expect("]"));
  }
  std::vector<std::string> outputs;
  while (!in_.accept("=")) {
    if (!outputs.empty()) TRY(in_.expect(","));
    ASSIGN(outputs.emplace_back(), in_.name());
  }
  TRY(operation(row));
  for (const std::string& name : outputs) {
    if (name.empty()) {
      row.outputs.push_back(kNone);
      continue;
    }
    ASSIGN(const ValueId value, define(id, name));
    row.outputs.push_back(value);
  }
  const NodeId made = out_.add_node(std::move(row));
  for (const GraphId inner : subgraphs(out_.nodes[made])) out_.graphs[inner].owner = made;
  out_.graphs[id].nodes.push_back(made);
  return {};
}

// domain.Op:overload <attributes> (inputs), or the attributes last.
Status Parser::operation(Node& row) {
  ASSIGN(row.op, in_.name());
  while (in_.accept(".")) {
    row.domain += (row.domain.empty() ? "" : ".") + row.op;
    ASSIGN(row.op, in_.name());
  }
  if (row.domain == "ai.onnx") row.domain.clear();
  row.opset = opset(row.domain);
  if (in_.accept(":")) {
    ASSIGN(row.overload, in_.name());
  }
  if (in_.is("<")) TRY(attributes(row.attributes));
  TRY(operands(row));
  return in_.is("<") ? attributes(row.attributes) : Status();
}

Status Parser::operands(Node& row) {
  return list("(", ")", [&]() -> Status {
    const bool is_left_out = in_.is(",") || in_.is(")");
    ASSIGN(const std::string name, is_left_out ? Result<std::string>("") : in_.name());
    ASSIGN(const ValueId value, find(name));
    row.inputs.push_back(value);
    return {};
  });
}

Status Parser::attributes(std::vector<Attribute>& rows) {
  const GraphReader read_graph = [this] { return graph(); };
  return list("<", ">", [&]() -> Status {
    ASSIGN(Attribute row, parse_attribute(in_, read_graph));
    for (const Attribute& other : rows) {
      if (other.name == row.name) return in_.fail_at("E168", {{"value", row.name}});
    }
    rows.push_back(std::move(row));
    return {};
  });
}

Status Parser::function_attribute(Function& row) {
  const Token next = in_.second();
  const bool has_default =
      next.kind == Token::Kind::kSign && (next.text == ":" || next.text == "=");
  if (!has_default) {
    ASSIGN(row.attributes.emplace_back(), in_.name());
    return {};
  }
  ASSIGN(Attribute attribute, parse_attribute(in_, [this] { return graph(); }));
  row.defaults.push_back(std::move(attribute));
  return {};
}

Status Parser::function() {
  function_ = static_cast<Index>(out_.functions.size());
  out_.functions.emplace_back();
  Function row;
  TRY(header(&row));
  ASSIGN(row.name, in_.name());
  out_.functions[function_].opsets = row.opsets;
  if (in_.is("<")) TRY(list("<", ">", [&] { return function_attribute(row); }));
  row.graph = static_cast<GraphId>(out_.graphs.size());
  out_.graphs.push_back({.name = row.name, .function = function_});
  const std::size_t mark = undo_.size();
  TRY(list("(", ")", [&] { return input(row.graph); }));
  TRY(in_.expect("=>"));
  std::vector<std::string> outputs;
  TRY(list("(", ")", [&]() -> Status {
    ASSIGN(outputs.emplace_back(), in_.name());
    return {};
  }));
  Types types;
  if (in_.is("<")) TRY(values(row.graph, types));
  types_ = &types;
  TRY(body(row.graph, outputs));
  types_ = nullptr;
  for (; undo_.size() > mark; undo_.pop_back()) named_[undo_.back().name] = undo_.back().before;
  out_.functions[function_] = std::move(row);
  return {};
}

}  // namespace

Result<Model> parse(std::string_view text, std::string name) {
  return Parser(text, std::move(name)).run();
}

}  // namespace godwit::ir
