// Evaluations rely on this check: they look at values by the types that the signature allows.
#include "ops/signature.h"

#include <array>
#include <string>

#include "base/text.h"
#include "ops/site.h"

namespace godwit::ops {
namespace {

using ir::Datum;

bool is_there(const Datum& datum) { return datum.kind != Datum::Kind::kNothing; }

// In any opset, as element types are taken. A bare value stands for an optional that holds it: a
// loop may carry a sequence where its body declares an optional one.
bool has_form(const FormHistory& form, const Datum& datum) {
  if (form.has(Form::kOptional, kForever)) return datum.kind != Datum::Kind::kMap;
  switch (datum.kind) {
    case Datum::Kind::kSequence: return form.has(Form::kSequence, kForever);
    case Datum::Kind::kOptional: return false;
    case Datum::Kind::kMap: return form.has(Form::kMap, kForever);
    default: return form.has(Form::kTensor, kForever);
  }
}

std::string_view kind_name(const Datum& datum) {
  switch (datum.kind) {
    case Datum::Kind::kSequence: return "seq";
    case Datum::Kind::kOptional: return "optional";
    case Datum::Kind::kMap: return "map";
    default: return ir::name(element_of(datum));
  }
}

class Check {
 public:
  explicit Check(const Site& site) : site_(site) {}
  Status input(const Parameter* row, std::size_t place, const Datum& datum);
  /// `is_there` says which of the `count` inputs are.
  template <class IsThere>
  Status places(std::size_t count, const IsThere& is_there) const;
  Status attributes() const;

 private:
  bool takes(const Parameter& row, const Datum& datum);
  std::string wanted(const Parameter& row) const;
  Status place(const Parameter* row, std::size_t place, bool is_there) const;

  const Site& site_;
  std::array<ElementType, 128> variables_{};
};

bool Check::takes(const Parameter& row, const Datum& datum) {
  if (!has_form(row.form, datum)) return false;
  const ElementType type = element_of(datum);
  if (type == ElementType::kUndefined || row.form.is_mixed()) return true;
  const TypeSet types = row.types.all();
  const bool stands_for_float = type == ElementType::kDouble && types.has(ElementType::kFloat);
  if (!types.has(type) && !stands_for_float) return false;
  if (row.kind == Parameter::Kind::kMixed) return true;
  ElementType& bound = variables_[static_cast<unsigned char>(row.variable) % variables_.size()];
  if (bound == ElementType::kUndefined) bound = type;
  return bound == type;
}

Status Check::input(const Parameter* row, std::size_t place, const Datum& datum) {
  if (!row || !is_there(datum) || takes(*row, datum)) return {};
  return site_.refuse("input_type", {{"input", format("{}", place)},
                                     {"type", std::string(kind_name(datum))},
                                     {"wanted", wanted(*row)}});
}

// The type that the inputs before have fixed, or all that the parameter takes.
std::string Check::wanted(const Parameter& row) const {
  const ElementType bound =
      variables_[static_cast<unsigned char>(row.variable) % variables_.size()];
  const TypeSet types = row.types.at(site_.opset());
  if (types.has(bound)) return std::string(ir::name(bound));
  std::vector<std::string> names;
  for (int i = 1; i <= static_cast<int>(ElementType::kLast); ++i) {
    if (types.has(static_cast<ElementType>(i)))
      names.emplace_back(ir::name(static_cast<ElementType>(i)));
  }
  return join(names, ", ");
}

Status Check::place(const Parameter* row, std::size_t place, bool is_there) const {
  if (!row) {
    return is_there ? site_.refuse("inputs", {{"found", format("{}", place + 1)}}) : Status();
  }
  if (is_there || row->kind == Parameter::Kind::kOptional) return {};
  return site_.refuse("missing", {{"input", std::string(row->name)}});
}

template <class IsThere>
Status Check::places(std::size_t count, const IsThere& is_there) const {
  const Parameters& rows = site_.op().inputs;
  for (std::size_t i = 0; i < count; ++i)
    TRY(place(find_parameter(rows, site_.opset(), i), i, is_there(i)));
  for (std::size_t i = count;; ++i) {
    const Parameter* const row = find_parameter(rows, site_.opset(), i);
    if (!row || row->kind == Parameter::Kind::kMixed) break;
    if (row->kind == kVariadic && i > 0 && find_parameter(rows, site_.opset(), i - 1) == row) break;
    TRY(place(row, i, false));
    if (row->repeats()) break;
  }
  return {};
}

Status Check::attributes() const {
  for (const AttributeSpec& row : site_.op().attributes) {
    const auto* const presence = std::get_if<Presence>(&row.fallback);
    const bool is_needed = presence && *presence == kMustBeThere && site_.opset() >= row.since &&
                           site_.opset() <= row.until;
    if (is_needed && !site_.has(row.name))
      return site_.refuse("missing_attribute", {{"name", std::string(row.name)}});
  }
  return {};
}

}  // namespace

const Parameter* find_parameter(std::span<const Parameter> rows, std::int64_t opset,
                                std::size_t i) {
  for (const Parameter& row : rows) {
    if (opset < row.since || opset > row.until) continue;
    if (i == 0 || row.repeats()) return &row;
    --i;
  }
  return nullptr;
}

ElementType element_of(const Datum& datum) {
  if (datum.is_tensor()) return datum.tensor.type();
  if (datum.kind == Datum::Kind::kMap) return ElementType::kUndefined;
  return datum.items.empty() ? datum.element : element_of(datum.items.front());
}

Status check_arity(const Operator& op, const ir::Node& node) {
  const Site site(op, node);
  if (node.outputs.empty()) return site.refuse("no_outputs");
  return Check(site).places(node.inputs.size(),
                            [&](std::size_t i) { return node.inputs[i] != ir::kNone; });
}

bool makes_first_output(const ir::Node& node) {
  return find_operator(node) && !node.outputs.empty() && node.outputs[0] != ir::kNone;
}

Status check_inputs(const Operator& op, const ir::Node& node, std::span<const Datum> inputs) {
  const Site site(op, node);
  Check check(site);
  TRY(check.places(inputs.size(), [&](std::size_t i) { return is_there(inputs[i]); }));
  for (std::size_t i = 0; i < inputs.size(); ++i)
    TRY(check.input(find_parameter(op.inputs, site.opset(), i), i, inputs[i]));
  return check.attributes();
}

}  // namespace godwit::ops
