// Conversion by the signatures: what moved between attributes and inputs, defaults that changed,
// and what says nothing and may go.
#include "ops/move.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "diag/messages.h"
#include "ir/number.h"

namespace godwit::ops {
namespace {

using ir::Attribute;
using ir::Tensor;
using ir::ValueId;
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

// What is one number as an attribute and as an input alike; all else that became an input is a
// list.
bool is_one_number(std::string_view name) {
  constexpr std::string_view kNames[] = {"axis", "k", "max", "min", "ratio", "value"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
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

  std::string run(Parts& out) {
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

  void keep_attribute(const Attribute& row, Parts& out) {
    if (named(attributes_after_, row.name)) return out.attributes.push_back(row);
    if (became_input(row.name) || is_idle(row.name)) return;  // see place_inputs
    const AttributeSpec* const before = named(attributes_before_, row.name);
    if (before && is_default(*before, row.value)) return;
    if (says_nothing(row.name)) return;
    refuse("attribute", {{"name", row.name}});
  }

  // Attributes and inputs that only speak of what the node does not have or do.
  bool says_nothing(std::string_view name) const {
    if (name == "noop_with_empty_axes") {
      const Tensor* const axes = constant_input("axes");
      return axes && !axes->empty();
    }
    if (name == "training_mode") {
      const Tensor* const trains = constant_input(name);
      return trains && to_doubles(*trains) == std::vector{0.0};
    }
    if (name == "seed")  // of Dropout: nothing is drawn but in training
      return node_.op == "Dropout" &&
             (!input_place("training_mode") || says_nothing("training_mode"));
    if (name != "allowzero") return false;
    const Tensor* const shape = constant_input("shape");
    const std::optional<Ints> sizes = shape ? to_integers(*shape) : std::nullopt;
    return sizes && std::find(sizes->begin(), sizes->end(), 0) == sizes->end();
  }

  std::optional<std::size_t> input_place(std::string_view name) const {
    for (std::size_t i = 0; i < inputs_before_.size() && i < node_.inputs.size(); ++i) {
      if (inputs_before_[i]->name == name && node_.inputs[i] != ir::kNone) return i;
    }
    return std::nullopt;
  }

  const Tensor* constant_input(std::string_view name) const {
    const std::optional<std::size_t> place = input_place(name);
    return place ? model_.constant(node_.inputs[*place]) : nullptr;
  }

  // What was meant by leaving an attribute out must be said where that means something else now.
  void write_default(const AttributeSpec& row, Parts& out) {
    if (!has_value(row) || node_.attribute(row.name)) return;
    const AttributeSpec* const after = named(attributes_after_, row.name);
    if (after && after->fallback != row.fallback)
      out.attributes.push_back({std::string(row.name), value_of(row.fallback)});
  }

  void place_inputs(Parts& out) {
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

  void from_attribute(const Parameter& row, std::size_t i, Parts& out) {
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
    if (const auto* const one = std::get_if<std::int64_t>(&value))
      return row.name == "K" ? Tensor::integers({*one}) : Tensor::scalar(*one);  // K is a list
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
  void drop_input(std::size_t i, Parts& out) {
    const Parameter& row = *inputs_before_[i];
    const bool is_given = i < node_.inputs.size() && node_.inputs[i] != ir::kNone;
    if (!is_given || named(inputs_after_, row.name) || says_nothing(row.name)) return;
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

  static std::optional<Payload> attribute(const Tensor& held, const AttributeSpec& spec) {
    const bool is_one = is_one_number(spec.name);
    if (is_one && held.count() != 1) return std::nullopt;
    const bool is_real = spec.name == "value";  // whatever the type of what is padded
    if (const std::optional<Ints> whole = to_integers(held); whole && !is_real)
      return is_one ? Payload((*whole)[0]) : Payload(*whole);
    const std::optional<std::vector<double>> numbers = to_doubles(held);
    if (!numbers) return std::nullopt;
    Floats floats;
    for (const double number : *numbers) floats.push_back(static_cast<float>(number));
    return is_one ? Payload(floats[0]) : Payload(std::move(floats));
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

}  // namespace

std::string move_parts(const ir::Model& model, const Operator& op, const ir::Node& node,
                       std::int64_t target, Parts& out) {
  return Move(model, op, node, target).run(out);
}

}  // namespace godwit::ops
