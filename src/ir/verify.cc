// One walk in the order of execution with the set of values that are made so far.
#include "ir/verify.h"

#include <string_view>
#include <unordered_map>

#include "base/text.h"
#include "ir/subgraphs.h"

namespace godwit::ir {
namespace {

class Verifier {
 public:
  explicit Verifier(const Model& model)
      : model_(model),
        is_made_(model.values.size()),
        is_visible_(model.values.size()),
        is_seen_(model.graphs.size()),
        is_placed_(model.nodes.size()) {}

  Status run() {
    if (model_.graphs.empty()) return missing("graph", 0, kNone);
    TRY(graph(0, kNone));
    for (const Function& function : model_.functions) TRY(graph(function.graph, kNone));
    return {};
  }

 private:
  using Names = std::unordered_map<std::string_view, ValueId>;

  Status graph(GraphId id, NodeId owner) {
    if (id >= model_.graphs.size() || is_seen_[id]) return missing("graph", id, owner);
    is_seen_[id] = true;
    const Graph& row = model_.graphs[id];
    if (row.owner != owner) return missing("owner", row.owner, owner);
    const std::size_t mark = visible_.size();
    Names names;
    for (const ValueId value : row.inputs) TRY(make(value, kNone, names));
    for (const ValueId value : row.constants) TRY(constant(row, value, names));
    for (const NodeId node : row.nodes) TRY(visit(node, names));
    for (const ValueId value : row.outputs) {
      if (value == kNone) continue;
      if (value >= is_visible_.size()) return missing("value", value, owner);
      if (!is_visible_[value]) return of_value("E165", value, owner);
    }
    for (; visible_.size() > mark; visible_.pop_back()) is_visible_[visible_.back()] = false;
    return {};
  }

  Status visit(NodeId id, Names& names) {
    if (id >= model_.nodes.size() || is_placed_[id]) return missing("node", id, kNone);
    is_placed_[id] = true;
    const Node& node = model_.nodes[id];
    for (const ValueId value : node.inputs) {
      if (value == kNone) continue;
      if (value >= is_visible_.size()) return missing("value", value, id);
      if (!is_visible_[value]) return of_value("E162", value, id);
    }
    for (const GraphId inner : subgraphs(node)) TRY(graph(inner, id));
    for (Index i = 0; i < node.outputs.size(); ++i) {
      const ValueId value = node.outputs[i];
      if (value == kNone) continue;
      TRY(make(value, id, names));
      const Value& row = model_.values[value];
      if (row.producer != id || row.output != i) return missing("producer", row.producer, id);
    }
    return {};
  }

  // A constant may be an input too: its default.
  Status constant(const Graph& graph, ValueId value, Names& names) {
    if (value >= is_made_.size()) return missing("value", value, kNone);
    const bool is_input = is_visible_[value] && names.count(model_.values[value].name) &&
                          names[model_.values[value].name] == value;
    if (!is_input) TRY(make(value, kNone, names));
    const Value& row = model_.values[value];
    if (!row.constant) return missing("constant", value, graph.owner);
    if (row.is_input != (is_input && &graph == &model_.main()))
      return missing("input", value, graph.owner);
    const Shape shape(row.constant->dims().begin(), row.constant->dims().end());
    const Type held = Type::tensor(row.constant->type(), shape);
    if (unify(row.type, held)) return {};
    return fail("E164", {.file = model_.path},
                {{"value", to_valid_utf8(row.name)},
                 {"found", to_string(held)},
                 {"expected", to_string(row.type)}});
  }

  Status make(ValueId value, NodeId by, Names& names) {
    if (value >= is_made_.size()) return missing("value", value, by);
    if (is_made_[value]) return of_value("E161", value, by);
    is_made_[value] = true;
    is_visible_[value] = true;
    visible_.push_back(value);
    const std::string& name = model_.values[value].name;
    const bool is_new = name.empty() || names.emplace(name, value).second;
    return is_new ? Status() : of_value("E163", value, by);
  }

  std::string user(NodeId node) const {
    if (node == kNone) return "graph";
    const Node& row = model_.nodes[node];
    return to_valid_utf8(row.name.empty() ? row.op : row.name);
  }

  Status missing(std::string_view what, Index number, NodeId node) const {
    return fail("E160", {.file = model_.path},
                {{"what", std::string(what)},
                 {"number", number == kNone ? "-" : format("{}", number)},
                 {"user", user(node)}});
  }

  Status of_value(std::string_view code, ValueId value, NodeId node) const {
    return fail(code, {.file = model_.path},
                {{"value", to_valid_utf8(model_.values[value].name)}, {"user", user(node)}});
  }

  const Model& model_;
  std::vector<bool> is_made_;
  std::vector<bool> is_visible_;
  std::vector<bool> is_seen_;
  std::vector<bool> is_placed_;
  std::vector<ValueId> visible_;
};

}  // namespace

Status verify(const Model& model) { return Verifier(model).run(); }

}  // namespace godwit::ir
