// Conversion by the signatures: an attribute that ends where an input of its name begins is the
// same thing, and so on. What only changed in meaning is said by the operators themselves.
#include "ops/convert.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "diag/messages.h"
#include "ir/fresh_names.h"
#include "ir/number.h"
#include "ops/expand.h"
#include "ops/infer.h"
#include "ops/inline.h"
#include "ops/stand_in.h"

namespace godwit::ops {
namespace {

using ir::Attribute;
using ir::Tensor;
using Payload = Attribute::Payload;

template <class Row, std::size_t kMost>
std::vector<const Row*> rows_in(const Listing<Row, kMost>& rows, std::int64_t opset) {
  std::vector<const Row*> out;
  for (const Row& row : rows) {
    if (opset >= row.since && opset <= row.until) out.push_back(&row);
  }
  return out;
}

template <class Row>
const Row* named(const std::vector<const Row*>& rows, std::string_view name) {
  for (const Row* const row : rows) {
    if (row->name == name) return row;
  }
  return nullptr;
}

// An attribute and the input that it became, where the standard changed the name on the way.
std::string_view other_name(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kPairs[] = {{"value", "constant_value"},
                                                                      {"k", "K"}};
  for (const auto& [attribute, input] : kPairs) {
    if (name == attribute) return input;
    if (name == input) return attribute;
  }
  return name;
}

template <class Row>
const Row* counterpart(const std::vector<const Row*>& rows, std::string_view name) {
  const Row* const same = named(rows, name);
  return same ? same : named(rows, other_name(name));
}

bool has_value(const AttributeSpec& row) { return !std::holds_alternative<Presence>(row.fallback); }

Payload value_of(const AttributeSpec::Default& fallback) {
  if (const auto* one = std::get_if<std::int64_t>(&fallback)) return *one;
  if (const auto* one = std::get_if<float>(&fallback)) return *one;
  if (const auto* one = std::get_if<std::string_view>(&fallback)) return std::string(*one);
  if (const auto* many = std::get_if<AttributeSpec::List>(&fallback))
    return Ints(many->begin(), many->end());
  return std::int64_t{0};
}

bool is_default(const AttributeSpec& row, const Payload& value) {
  const auto same = [&]<class T>(const T& fallback) {
    const T* const given = std::get_if<T>(&value);
    return given && *given == fallback;
  };
  if (const auto* one = std::get_if<std::int64_t>(&row.fallback)) return same(*one);
  if (const auto* one = std::get_if<float>(&row.fallback)) return same(*one);
  if (const auto* one = std::get_if<std::string_view>(&row.fallback))
    return same(std::string(*one));
  if (const auto* many = std::get_if<AttributeSpec::List>(&row.fallback))
    return same(Ints(many->begin(), many->end()));
  return false;
}

// Left over from Caffe2, without any meaning.
bool is_idle(std::string_view attribute) { return attribute == "consumed_inputs"; }

// The name of a type that a value of the node has and the target does not know.
std::optional<std::string> unknown_type(const ir::Model& model, const ir::Node& node,
                                        std::int64_t target) {
  for (const std::vector<ValueId>* const list : {&node.inputs, &node.outputs}) {
    for (const ValueId value : *list) {
      const ElementType type =
          value == ir::kNone ? ElementType::kUndefined : model.values[value].type.element;
      if (type != ElementType::kUndefined && !kKnownTypes.has(type, target))
        return std::string(ir::name(type));
    }
  }
  return std::nullopt;
}

// One node on its way; nothing of it is changed before all of it is known to be possible.
class Move {
 public:
  Move(const ir::Model& model, const Operator& op, const ir::Node& node, std::int64_t target)
      : model_(model),
        node_(node),
        inputs_before_(rows_in(op.inputs, node.opset)),
        inputs_after_(rows_in(op.inputs, target)),
        attributes_before_(rows_in(op.attributes, node.opset)),
        attributes_after_(rows_in(op.attributes, target)),
        outputs_after_(rows_in(op.outputs, target)) {}

  struct Result {
    std::vector<Attribute> attributes;
    std::vector<ValueId> inputs;                              // kNone where `constants` says one
    std::vector<std::pair<std::size_t, Tensor>> constants{};  // by place
  };

  /// Why it cannot be done, or nothing and the result in `out`.
  std::string run(Result& out) {
    why_.clear();
    for (const Attribute& row : node_.attributes) keep_attribute(row, out);
    for (const AttributeSpec* const row : attributes_before_) write_default(*row, out);
    place_inputs(out);
    for (std::size_t i = 0; i < inputs_before_.size(); ++i) drop_input(i, out);
    check_outputs();
    return why_;
  }

 private:
  void refuse(std::string_view what, Args args = {}) {
    if (why_.empty()) why_ = diag::text(format("convert.{}", what), args);
  }

  bool became_input(std::string_view attribute) const {
    return !named(attributes_after_, attribute) && counterpart(inputs_after_, attribute) &&
           !counterpart(inputs_before_, attribute);
  }

  void keep_attribute(const Attribute& row, Result& out) {
    if (named(attributes_after_, row.name)) return out.attributes.push_back(row);
    if (became_input(row.name) || is_idle(row.name)) return;  // see place_inputs
    const AttributeSpec* const before = named(attributes_before_, row.name);
    if (before && is_default(*before, row.value)) return;
    // It says what happens without axes, and here are some.
    if (row.name == "noop_with_empty_axes" && has_axes()) return;
    refuse("attribute", {{"name", row.name}});
  }

  bool has_axes() const {
    for (std::size_t i = 0; i < inputs_before_.size() && i < node_.inputs.size(); ++i) {
      const Tensor* const held = model_.constant(node_.inputs[i]);
      if (inputs_before_[i]->name == "axes" && held && !held->empty()) return true;
    }
    return false;
  }

  // What was meant by leaving an attribute out must be said where that means something else now.
  void write_default(const AttributeSpec& row, Result& out) {
    if (!has_value(row) || node_.attribute(row.name)) return;
    const AttributeSpec* const after = named(attributes_after_, row.name);
    if (after && after->fallback != row.fallback)
      out.attributes.push_back({std::string(row.name), value_of(row.fallback)});
  }

  void place_inputs(Result& out) {
    for (std::size_t i = 0; i < inputs_after_.size(); ++i) {
      const Parameter& row = *inputs_after_[i];
      const std::optional<std::size_t> before = place_before(i);
      if (before && row.repeats()) {
        for (std::size_t k = *before; k < node_.inputs.size(); ++k)
          out.inputs.push_back(node_.inputs[k]);
        continue;
      }
      out.inputs.push_back(before && *before < node_.inputs.size() ? node_.inputs[*before]
                                                                   : ir::kNone);
      if (!before) from_attribute(row, i, out);
    }
    while (!out.inputs.empty() && out.inputs.back() == ir::kNone &&
           (out.constants.empty() || out.constants.back().first + 1 < out.inputs.size()))
      out.inputs.pop_back();
  }

  // The place of the same input before: under its name, or at the same place under another that
  // has gone.
  std::optional<std::size_t> place_before(std::size_t i) const {
    for (std::size_t k = 0; k < inputs_before_.size(); ++k) {
      if (inputs_before_[k]->name == inputs_after_[i]->name) return k;
    }
    const bool is_renamed = i < inputs_before_.size() &&
                            !named(inputs_after_, inputs_before_[i]->name) &&
                            !counterpart(attributes_after_, inputs_before_[i]->name) &&
                            !counterpart(attributes_before_, inputs_after_[i]->name);
    return is_renamed ? std::optional(i) : std::nullopt;
  }

  void from_attribute(const Parameter& row, std::size_t i, Result& out) {
    const AttributeSpec* const spec = counterpart(attributes_before_, row.name);
    const Attribute* const given = spec ? node_.attribute(spec->name) : nullptr;
    if (spec && (given || has_value(*spec))) {
      std::optional<Tensor> made = constant(given ? given->value : value_of(spec->fallback), row);
      if (!made) return refuse("attribute", {{"name", std::string(spec->name)}});
      out.constants.emplace_back(i, *std::move(made));
      return;
    }
    if (row.kind == Parameter::Kind::kRequired)
      refuse("no_input", {{"name", std::string(row.name)}});
  }

  // Numbers of the type that the parameter has here.
  std::optional<Tensor> constant(const Payload& value, const Parameter& row) const {
    if (const auto* const many = std::get_if<Ints>(&value)) return Tensor::integers(*many);
    if (const auto* const one = std::get_if<std::int64_t>(&value)) return Tensor::integers({*one});
    if (const auto* const many = std::get_if<Floats>(&value))
      return Tensor::of<float>({static_cast<std::int64_t>(many->size())}, *many);
    const auto* const one = std::get_if<float>(&value);
    if (!one) return std::nullopt;
    ElementType type = ElementType::kFloat;
    for (std::size_t k = 0; k < inputs_before_.size() && k < node_.inputs.size(); ++k) {
      if (inputs_before_[k]->variable == row.variable && node_.inputs[k] != ir::kNone)
        type = model_.values[node_.inputs[k]].type.element;
    }
    if (type == ElementType::kUndefined) return std::nullopt;
    auto made = ir::convert(Tensor::scalar(*one), type);
    return made ? std::optional(*std::move(made)) : std::nullopt;
  }

  // An input that the target does not have: an attribute again, or nothing when it was left out.
  void drop_input(std::size_t i, Result& out) {
    const Parameter& row = *inputs_before_[i];
    const bool is_given = i < node_.inputs.size() && node_.inputs[i] != ir::kNone;
    if (!is_given || named(inputs_after_, row.name)) return;
    for (std::size_t k = 0; k < inputs_after_.size(); ++k) {
      if (place_before(k) == i) return;
    }
    const AttributeSpec* const spec = counterpart(attributes_after_, row.name);
    if (!spec) return refuse("input", {{"name", std::string(row.name)}});
    const Tensor* const held = model_.constant(node_.inputs[i]);
    const std::optional<Payload> value = held ? attribute(*held, *spec) : std::nullopt;
    if (!value) return refuse("not_constant", {{"name", std::string(row.name)}});
    out.attributes.push_back({std::string(spec->name), *value});
  }

  // A list unless the tensor is one number; one element of rank 1 is one for the attribute `k`.
  static std::optional<Payload> attribute(const Tensor& held, const AttributeSpec& spec) {
    const bool is_one = held.rank() == 0 || spec.name == "k";
    if (is_one && held.count() != 1) return std::nullopt;
    if (const std::optional<Ints> whole = to_integers(held); whole && spec.name != "value")
      return is_one ? Payload((*whole)[0]) : Payload(*whole);
    const std::optional<std::vector<double>> numbers = to_doubles(held);
    if (!numbers) return std::nullopt;
    Floats floats;
    for (const double number : *numbers) floats.push_back(static_cast<float>(number));
    return is_one || spec.name == "value" ? Payload(floats[0]) : Payload(std::move(floats));
  }

  void check_outputs() {
    const bool has_more = !outputs_after_.empty() && outputs_after_.back()->repeats();
    for (std::size_t i = outputs_after_.size(); i < node_.outputs.size() && !has_more; ++i) {
      if (node_.outputs[i] != ir::kNone) refuse("output", {{"output", format("{}", i)}});
    }
  }

  const ir::Model& model_;
  const ir::Node& node_;
  std::vector<const Parameter*> inputs_before_, inputs_after_;
  std::vector<const AttributeSpec*> attributes_before_, attributes_after_;
  std::vector<const Parameter*> outputs_after_;
  std::string why_;
};

tl::unexpected<Error> impossible(const ir::Node& node, std::int64_t target, std::string reason) {
  return fail("E158", {},
              {{"op", to_valid_utf8(node.op)},
               {"node", to_valid_utf8(node.name.empty() ? node.op : node.name)},
               {"opset", format("{}", node.opset)},
               {"target", format("{}", target)},
               {"reason", std::move(reason)}});
}

// What there is to say when a call of `op` goes from one opset to the other; null: nothing.
const Adaptation* break_between(const Operator& op, std::int64_t from, std::int64_t to) {
  const auto [low, high] = std::minmax(from, to);
  for (const Adaptation* const row : kAdaptations) {
    if (row->op != op.name) continue;
    for (const int at : row->breaks) {
      if (low < at && at <= high) return row;
    }
  }
  return nullptr;
}

bool is_missing(const Operator& op, std::int64_t target) {
  return find_operator(op.domain, op.name, target) != &op;
}

class Converter {
 public:
  Converter(ir::Model& model, std::int64_t target) : model_(model), target_(target) {}

  Status run() {
    TRY(inline_functions(model_));
    TRY(infer(model_));
    TRY(rewrite_nodes(model_, [&](const Operator& op, ir::NodeId id) { return choose(op, id); }));
    ir::FreshNames names(model_);
    for (ir::GraphId graph = 0; graph < model_.graphs.size(); ++graph) {
      const std::vector<ir::NodeId> nodes = model_.graphs[graph].nodes;
      std::vector<ir::NodeId> out;
      for (const ir::NodeId id : nodes) TRY(move(graph, id, names, out));
      model_.graphs[graph].nodes = std::move(out);
    }
    std::erase_if(model_.opsets, [](const ir::Opset& row) { return row.domain.empty(); });
    model_.opsets.insert(model_.opsets.begin(), {"", target_});
    return {};
  }

 private:
  Rewrite choose(const Operator& op, ir::NodeId id) {
    const ir::Node& node = model_.nodes[id];
    if (!op.domain.empty() || node.opset == target_ || adapted_.count(id)) return nullptr;
    if (is_missing(op, target_)) return expansion_of(op);
    if (const Adaptation* const row = break_between(op, node.opset, target_)) {
      if (!row->adapt) return expansion_of(op);
      return [this, row, id](Expansion& e) {
        adapted_.insert(id);
        return row->adapt(e, target_);
      };
    }
    Move::Result unused;
    return Move(model_, op, node, target_).run(unused).empty() ? nullptr : expansion_of(op);
  }

  Status move(ir::GraphId graph, ir::NodeId id, ir::FreshNames& names,
              std::vector<ir::NodeId>& out) {
    const ir::Node& node = model_.nodes[id];
    if (!node.domain.empty()) {
      out.push_back(id);
      return {};
    }
    if (const auto type = unknown_type(model_, node, target_))
      return impossible(node, target_, diag::text("convert.type", {{"type", *type}}));
    const Operator* const op = find_operator(node);
    if (!op) return unknown_operator(node);
    if (node.opset == target_) {  // as it came, or made by an expansion
      if (!stand_in(model_, *op, id, names, out).empty()) out.push_back(id);
      return {};
    }
    if (is_missing(*op, target_)) return impossible(node, target_, diag::text("convert.missing"));
    const Adaptation* const row = break_between(*op, node.opset, target_);
    if (row && !row->adapt) return impossible(node, target_, diag::text("convert.meaning"));
    Move::Result made;
    std::string why = Move(model_, *op, node, target_).run(made);
    if (!why.empty()) return impossible(node, target_, std::move(why));
    const std::string stem = node.name.empty() ? node.op : node.name;
    for (auto& [place, tensor] : made.constants)
      made.inputs[place] = model_.add_constant(graph, names.fresh(stem + "/constant"), tensor);
    model_.nodes[id].inputs = std::move(made.inputs);
    model_.nodes[id].attributes = std::move(made.attributes);
    const std::int64_t before = std::exchange(model_.nodes[id].opset, target_);
    why = stand_in(model_, *op, id, names, out);
    if (why.empty()) return {};
    model_.nodes[id].opset = before;
    return impossible(model_.nodes[id], target_, std::move(why));
  }

  ir::Model& model_;
  std::int64_t target_;
  std::set<ir::NodeId> adapted_;  // across a break; their parts are moved last
};

}  // namespace

Status convert(ir::Model& model, std::int64_t target) { return Converter(model, target).run(); }

}  // namespace godwit::ops
