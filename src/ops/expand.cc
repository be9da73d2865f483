// Building replacements, and walking the graphs until nothing is left to replace.
#include "ops/expand.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "ir/number.h"
#include "ops/infer.h"
#include "ops/inline.h"

namespace godwit::ops {

using ir::Tensor;

Expansion::Expansion(const Operator& op, ir::Node& node, std::vector<Known> inputs,
                     ir::Model& model, ir::GraphId graph, ir::FreshNames& names)
    : Inference(op, node, std::move(inputs)),
      edited_(node),
      model_(model),
      graph_(graph),
      names_(names),
      prefix_(node.name.empty() ? model.values[node.outputs[0]].name : node.name),
      made_(node.outputs.size(), ir::kNone) {}

bool Expansion::is_read(std::size_t i) const {
  if (!wants_output(i)) return false;
  const auto has = [value = node().outputs[i]](const std::vector<ValueId>& list) {
    return std::find(list.begin(), list.end(), value) != list.end();
  };
  return std::any_of(model_.nodes.begin(), model_.nodes.end(),
                     [&](const ir::Node& row) { return has(row.inputs); }) ||
         std::any_of(model_.graphs.begin(), model_.graphs.end(),
                     [&](const ir::Graph& row) { return has(row.outputs); });
}

ValueId Expansion::add(std::string_view op, std::vector<ValueId> inputs,
                       std::vector<ir::Attribute> attributes) {
  return add_many(op, std::move(inputs), std::move(attributes), 1)[0];
}

std::vector<ValueId> Expansion::add_many(std::string_view op, std::vector<ValueId> inputs,
                                         std::vector<ir::Attribute> attributes,
                                         std::size_t outputs) {
  ir::Node added{.name = names_.fresh(format("{}/{}", prefix_, op)),
                 .op = std::string(op),
                 .opset = kExpansionOpset,
                 .inputs = std::move(inputs),
                 .attributes = std::move(attributes)};
  const auto origin = std::make_shared<const ir::Origin>(
      ir::Origin{.sources = {}, .passes = {format("expand {}", this->op().name)}});
  for (std::size_t i = 0; i < outputs; ++i) {
    const ValueId value = model_.add_value(names_.fresh(format("{}/{}:{}", prefix_, op, i)));
    model_.values[value].origin = origin;
    added.outputs.push_back(value);
  }
  std::vector<ValueId> out = added.outputs;
  nodes_.push_back(model_.add_node(std::move(added)));
  if (status_) status_ = infer(nodes_.back());
  return out;
}

Known Expansion::known(ValueId value) const {
  if (value == ir::kNone) return {};
  Known out{model_.values[value].type, std::nullopt, model_.constant(value)};
  for (const auto& [of, content] : contents_) {
    if (of == value) out.content = content;
  }
  return out;
}

Status Expansion::infer(ir::NodeId id) {
  const ir::Node added = model_.nodes[id];
  const Operator* const rule = find_operator(added);
  if (!rule) return unknown_operator(added);
  if (!rule->infer) return {};
  std::vector<Known> inputs;
  for (const ValueId value : added.inputs) inputs.push_back(known(value));
  Inference inference(*rule, added, std::move(inputs));
  TRY(rule->infer(inference));
  for (std::size_t i = 0; i < added.outputs.size(); ++i) {
    Known& found = inference.results()[i];
    model_.values[added.outputs[i]].type = found.type;
    if (found.content) contents_.emplace_back(added.outputs[i], *std::move(found.content));
  }
  return {};
}

ValueId Expansion::constant(Tensor tensor) {
  return model_.add_constant(graph_, names_.fresh(prefix_ + "/constant"), std::move(tensor));
}

ValueId Expansion::scalar(double value, ElementType type) {
  Result<Tensor> tensor = Tensor::make(type, {});
  if (!tensor) {
    status_ = tl::unexpected(tensor.error());
    return constant(Tensor::scalar(0.0f));
  }
  ir::store(type, tensor->mutable_data(), 0, value, ir::Overflow::kToInfinity);
  return constant(*std::move(tensor));
}

ValueId Expansion::index(std::int64_t value) { return constant(Tensor::scalar(value)); }

ValueId Expansion::indices(Ints values) { return constant(Tensor::integers(std::move(values))); }

ValueId Expansion::size(ValueId value, std::int64_t axis) {
  const std::optional<Shape>& shape = type_of(value).shape;
  const auto rank = shape ? static_cast<std::int64_t>(shape->size()) : 0;
  if (shape && axis >= -rank && axis < rank) {
    const Dim dim = (*shape)[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)];
    if (dim.is_known()) return indices({dim.value()});
  }
  return add("Gather", {add("Shape", {value}), indices({axis})});
}

ValueId Expansion::join(std::vector<ValueId> lists) {
  Ints all;
  for (const ValueId list : lists) {
    const Tensor* const held = model_.constant(list);
    const std::optional<Ints> numbers = held ? to_integers(*held) : std::nullopt;
    if (!numbers) return add("Concat", std::move(lists), {{"axis", 0}});
    all.insert(all.end(), numbers->begin(), numbers->end());
  }
  return indices(std::move(all));
}

ValueId Expansion::cast(ValueId value, ElementType type) {
  if (type_of(value).element == type) return value;
  return add("Cast", {value}, {{"to", static_cast<std::int64_t>(type)}});
}

Result<ElementType> Expansion::known_element(std::size_t input) const {
  if (element(input) != ElementType::kUndefined) return element(input);
  return refuse("unknown_type", {{"input", format("{}", input)}});
}

Result<std::size_t> Expansion::known_rank(std::size_t input) const {
  if (shape(input)) return shape(input)->size();
  return refuse("unknown_rank", {{"input", format("{}", input)}});
}

void Expansion::set_output(std::size_t i, ValueId value) {
  if (wants_output(i)) made_[i] = value;
}

Status Expansion::finish(std::vector<ir::NodeId>& nodes) {
  TRY(status_);
  const std::vector<ValueId>& wanted = node().outputs;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == ir::kNone) continue;
    if (made_[i] == ir::kNone) return refuse("no_output", {{"output", format("{}", i)}});
    ir::Value& made = model_.values[made_[i]];
    const bool is_new = made.producer != ir::kNone &&
                        std::find(nodes_.begin(), nodes_.end(), made.producer) != nodes_.end();
    const bool is_first = std::find(made_.begin(), made_.end(), made_[i]) - made_.begin() ==
                          static_cast<std::ptrdiff_t>(i);
    if (!is_new || !is_first) made_[i] = add("Identity", {made_[i]});
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == ir::kNone) continue;
    const ValueId made = made_[i];
    for (const ir::NodeId id : nodes_) {
      ir::Node& row = model_.nodes[id];
      std::replace(row.inputs.begin(), row.inputs.end(), made, wanted[i]);
      std::replace(row.outputs.begin(), row.outputs.end(), made, wanted[i]);
    }
    model_.values[wanted[i]].producer = model_.values[made].producer;
    model_.values[wanted[i]].output = model_.values[made].output;
    model_.values[made].producer = ir::kNone;
  }
  nodes.insert(nodes.end(), nodes_.begin(), nodes_.end());
  return {};
}

namespace {

Result<bool> rewrite(ir::Model& model, ir::GraphId graph, ir::NodeId id, const Rewrite& rule,
                     ir::FreshNames& names, std::vector<ir::NodeId>& out) {
  ir::Node node = model.nodes[id];  // a copy: the table grows
  std::vector<Known> inputs;
  for (const ValueId value : node.inputs) {
    inputs.push_back(
        value == ir::kNone ? Known() : Known{model.values[value].type, {}, model.constant(value)});
  }
  Expansion expansion(*find_operator(node), node, std::move(inputs), model, graph, names);
  ASSIGN(const bool is_replaced, rule(expansion));
  if (is_replaced) {
    TRY(expansion.finish(out));
  } else {
    model.nodes[id] = std::move(node);
    out.push_back(id);
  }
  return is_replaced;
}

Result<bool> rewrite_graph(ir::Model& model, ir::GraphId graph, const Choice& choose,
                           ir::FreshNames& names) {
  const std::vector<ir::NodeId> nodes = model.graphs[graph].nodes;
  std::vector<ir::NodeId> out;
  bool changed = false;
  for (const ir::NodeId id : nodes) {
    const Operator* const op = find_operator(model.nodes[id]);
    const Rewrite rule = op && !model.nodes[id].outputs.empty() ? choose(*op, id) : nullptr;
    if (!rule) {
      out.push_back(id);
      continue;
    }
    ASSIGN(const bool here, rewrite(model, graph, id, rule, names, out));
    changed |= here;
  }
  model.graphs[graph].nodes = std::move(out);
  return changed;
}

// Operators expand into simpler ones, so that this ends; a rule that breaks it must not hang us.
constexpr int kMostRounds = 16;

}  // namespace

Status rewrite_nodes(ir::Model& model, const Choice& choose) {
  ir::FreshNames names(model);
  bool changed = true;
  for (int round = 0; changed && round < kMostRounds; ++round) {
    changed = false;
    for (ir::GraphId graph = 0; graph < model.graphs.size(); ++graph) {
      ASSIGN(const bool here, rewrite_graph(model, graph, choose, names));
      changed |= here;
    }
  }
  return {};
}

Rewrite expansion_of(const Operator& op) {
  if (!op.expand) return nullptr;
  return [expand = op.expand](Expansion& e) { return expand(e).map([] { return true; }); };
}

Status expand_unknown(ir::Model& model) {
  TRY(inline_functions(model));
  const Choice choose = [](const Operator& op, ir::NodeId) {
    return op.evaluate ? nullptr : expansion_of(op);
  };
  bool any = false;
  for (const ir::Graph& graph : model.graphs) {
    for (const ir::NodeId id : graph.nodes) {
      const Operator* const op = find_operator(model.nodes[id]);
      any |= op && op->expand && !op->evaluate;
    }
  }
  if (!any) return {};
  TRY(infer(model));
  return rewrite_nodes(model, choose);
}

}  // namespace godwit::ops
