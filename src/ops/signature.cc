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

bool has_form(Form form, const Datum& datum) {
  switch (form) {
    case Form::kTensor: return datum.is_tensor();
    case Form::kSequence: return datum.kind == Datum::Kind::kSequence;
    case Form::kOptional: return datum.kind == Datum::Kind::kOptional;
    case Form::kMap: return datum.kind == Datum::Kind::kMap;
    case Form::kAny: break;
  }
  return true;
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
  Status attributes() const;

 private:
  bool takes(const Parameter& row, const Datum& datum);

  const Site& site_;
  std::array<ElementType, 128> variables_{};
};

bool Check::takes(const Parameter& row, const Datum& datum) {
  if (!has_form(row.form, datum)) return false;
  const ElementType type = element_of(datum);
  if (type == ElementType::kUndefined || row.form == Form::kAny) return true;
  const bool stands_for_float = type == ElementType::kDouble && row.types.has(ElementType::kFloat);
  if (!row.types.has(type) && !stands_for_float) return false;
  if (row.kind == Parameter::Kind::kMixed) return true;
  ElementType& bound = variables_[static_cast<unsigned char>(row.variable) % variables_.size()];
  if (bound == ElementType::kUndefined) bound = type;
  return bound == type;
}

Status Check::input(const Parameter* row, std::size_t place, const Datum& datum) {
  if (!row && !is_there(datum)) return {};
  if (!row) return site_.refuse("inputs", {{"found", format("{}", place + 1)}});
  if (!is_there(datum)) {
    if (row->kind == Parameter::Kind::kOptional) return {};
    return site_.refuse("missing", {{"input", std::string(row->name)}});
  }
  return takes(*row, datum) ? Status()
                            : site_.refuse("input_type", {{"input", format("{}", place)},
                                                          {"type", std::string(kind_name(datum))}});
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

Status check_inputs(const Operator& op, const ir::Node& node, std::span<const Datum> inputs) {
  const Site site(op, node);
  const std::vector<Parameter>& rows = op.inputs;
  Check check(site);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    TRY(check.input(find_parameter(rows, site.opset(), i), i, inputs[i]));
  for (std::size_t i = inputs.size();; ++i) {
    const Parameter* const row = find_parameter(rows, site.opset(), i);
    if (!row || row->kind == Parameter::Kind::kMixed) break;
    if (row->kind == kVariadic && i > 0 && find_parameter(rows, site.opset(), i - 1) == row) break;
    TRY(check.input(row, i, {}));
    if (row->repeats()) break;
  }
  return check.attributes();
}

}  // namespace godwit::ops
