// A type may stand in for another when it holds all of its values and the operator gives the same
// ones in both: floats are widened and rounded once by nearly every evaluation, whole numbers wrap
// alike in every width, and what only moves or compares is free.
#include "ops/stand_in.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.h"
#include "diag/messages.h"
#include "ir/number.h"
#include "ops/signature.h"

namespace godwit::ops {
namespace {

using ir::ValueId;

// What holds all values of a type, the narrowest first.
struct Wider {
  TypeSet types;
  std::vector<ElementType> by;
};
const std::vector<Wider>& wider_types() {
  using enum ElementType;
  static const std::vector<Wider> kRows = {
      {{kFloat8E4M3FN, kFloat8E4M3FNUZ, kFloat8E5M2, kFloat8E5M2FNUZ, kFloat4E2M1, kFloat6E2M3,
        kFloat6E3M2},
       {kFloat16, kFloat, kDouble}},
      {{kFloat8E8M0, kFloat16, kBfloat16}, {kFloat, kDouble}},
      {{kFloat}, {kDouble}},
      {{kBool, kUint2, kUint4}, {kUint8, kInt8, kInt32, kInt64, kFloat}},
      {{kInt2, kInt4}, {kInt8, kInt16, kInt32, kInt64, kFloat}},
      {{kUint8}, {kUint16, kInt16, kUint32, kInt32, kInt64, kFloat16, kFloat, kDouble}},
      {{kInt8}, {kInt16, kInt32, kInt64, kFloat16, kFloat, kDouble}},
      {{kUint16}, {kUint32, kInt32, kInt64, kFloat, kDouble}},
      {{kInt16}, {kInt32, kInt64, kFloat, kDouble}},
      {{kUint32}, {kUint64, kInt64, kDouble}},
      {{kInt32}, {kInt64, kDouble}},
  };
  return kRows;
}

enum class Nature { kTruth, kWhole, kReal };
Nature nature(ElementType type) {
  if (type == ElementType::kBool) return Nature::kTruth;
  return ir::is_integer(type) ? Nature::kWhole : Nature::kReal;
}

bool gives_the_same(const Operator& op, ElementType narrow, ElementType wide, bool is_made) {
  if (op.numerics == Numerics::kControl) return false;  // types of other graphs hang on it
  if (op.numerics == Numerics::kExact) return true;
  if (nature(narrow) != nature(wide)) return false;
  // What is quantised saturates at the ends of its own type.
  if (op.numerics == Numerics::kQuantize) return !is_made || nature(narrow) == Nature::kReal;
  return nature(narrow) == Nature::kWhole || op.storage == Storage::kWidened ||
         op.numerics == Numerics::kCast;
}

// One node whose values have types that its operator does not take.
class StandIn {
 public:
  StandIn(ir::Model& model, const Operator& op, ir::NodeId id, ir::FreshNames& names)
      : model_(model), op_(op), id_(id), names_(names) {}

  std::string run(std::vector<ir::NodeId>& out) {
    for (const bool is_made : {false, true}) {
      for (std::size_t i = 0; i < values(is_made).size(); ++i) look(i, is_made);
    }
    for (const bool is_read : {true, false}) {  // what is made may follow what is read
      for (auto& [variable, row] : found_) {
        if (row.is_read == is_read) choose(row);
      }
    }
    if (!why_.empty()) return why_;
    for (std::size_t i = 0; i < values(false).size(); ++i) widen_input(i, out);
    for (const auto& [variable, row] : found_) {
      ir::Attribute* const said = row.is_read ? nullptr : named(row.type);
      if (row.wide != ElementType::kUndefined && said) rename_type(*said, row.wide);
    }
    out.push_back(id_);
    for (std::size_t i = 0; i < values(true).size(); ++i) narrow_output(i, out);
    return {};
  }

 private:
  // What is known of one type variable of the signature.
  struct Variable {
    ElementType type = ElementType::kUndefined;
    TypeSet taken = kKnownTypes.all();
    bool is_read = false, is_made = false;
    bool is_held = false;                        // by a sequence or optional, which no cast reaches
    ElementType wide = ElementType::kUndefined;  // undefined: as it is
  };

  const std::vector<ValueId>& values(bool is_made) const {
    return is_made ? model_.nodes[id_].outputs : model_.nodes[id_].inputs;
  }
  const Parameter* row(std::size_t i, bool is_made) const {
    return find_parameter(is_made ? op_.outputs : op_.inputs, model_.nodes[id_].opset, i);
  }
  // Parameters that repeat with types of their own are variables of their own.
  static int key(const Parameter& row, std::size_t i, bool is_made) {
    return row.kind == kMixed ? (is_made ? 1 << 17 : 1 << 16) + static_cast<int>(i) : row.variable;
  }
  Variable* found(std::size_t i, bool is_made) {
    const Parameter* const parameter = row(i, is_made);
    if (!parameter || values(is_made)[i] == ir::kNone) return nullptr;
    const auto at = found_.find(key(*parameter, i, is_made));
    return at == found_.end() ? nullptr : &at->second;
  }

  bool takes_form(const Parameter& parameter, ir::Type::Kind kind) const {
    const std::int64_t opset = model_.nodes[id_].opset;
    if (kind == ir::Type::Kind::kSequence) return parameter.form.has(Form::kSequence, opset);
    if (kind == ir::Type::Kind::kOptional) return parameter.form.has(Form::kOptional, opset);
    return true;
  }

  void look(std::size_t i, bool is_made) {
    const Parameter* const parameter = row(i, is_made);
    const ValueId value = values(is_made)[i];
    if (!parameter || value == ir::kNone) return;
    const ir::Type& type = model_.values[value].type;
    if (!takes_form(*parameter, type.kind) && why_.empty())
      why_ = diag::text("convert.form", {{"type", ir::to_string(type)}});
    Variable& row = found_[key(*parameter, i, is_made)];
    if (type.kind == ir::Type::Kind::kSequence || type.kind == ir::Type::Kind::kOptional)
      row.is_held = true;
    if (type.element == ElementType::kUndefined) return;
    row.type = type.element;
    row.taken = row.taken - (kKnownTypes.all() - parameter->types.at(model_.nodes[id_].opset));
    (is_made ? row.is_made : row.is_read) = true;
  }

  void choose(Variable& row) {
    if (row.type == ElementType::kUndefined || row.taken.has(row.type)) return;
    for (const Wider& wider : wider_types()) {
      if (row.is_held || !wider.types.has(row.type)) continue;
      for (const ElementType wide : wider.by) {
        if (!row.taken.has(wide) || !gives_the_same(op_, row.type, wide, row.is_made)) continue;
        if (!row.is_read && !named(row.type) && !follows(row.type, wide)) continue;
        row.wide = wide;
        return;
      }
    }
    if (why_.empty())
      why_ = diag::text("convert.type_here", {{"type", std::string(ir::name(row.type))}});
  }

  ir::NodeId cast(ValueId from, ValueId to, ElementType type) {
    const std::string stem =
        model_.nodes[id_].name.empty() ? op_.name.data() : model_.nodes[id_].name;
    return model_.add_node({.name = names_.fresh(stem + "/Cast"),
                            .op = "Cast",
                            .opset = model_.nodes[id_].opset,
                            .inputs = {from},
                            .outputs = {to},
                            .attributes = {{"to", static_cast<std::int64_t>(type)}}});
  }

  // A value of the same shape, in the wider type.
  ValueId widened(ValueId value, ElementType type) {
    ir::Type wide = model_.values[value].type;
    wide.element = type;
    return model_.add_value(names_.fresh(model_.values[value].name + "/wide"), std::move(wide));
  }

  void widen_input(std::size_t i, std::vector<ir::NodeId>& out) {
    const Variable* const row = found(i, false);
    if (!row || row->wide == ElementType::kUndefined) return;
    const ValueId value = values(false)[i];
    const ValueId wide = widened(value, row->wide);
    out.push_back(cast(value, wide, row->wide));
    model_.nodes[id_].inputs[i] = wide;
  }

  void narrow_output(std::size_t i, std::vector<ir::NodeId>& out) {
    const Variable* const row = found(i, true);
    if (!row || row->wide == ElementType::kUndefined) return;
    const ValueId value = values(true)[i];
    const ValueId wide = widened(value, row->wide);
    const ElementType narrow = row->type;
    model_.nodes[id_].outputs[i] = wide;
    model_.values[wide].producer = id_;
    model_.values[wide].output = static_cast<ir::Index>(i);
    out.push_back(cast(wide, value, narrow));
  }

  // The attribute that names a type which no input brings: by its number or by a tensor of it.
  ir::Attribute* named(ElementType type) {
    for (ir::Attribute& row : model_.nodes[id_].attributes) {
      const auto* const number = std::get_if<std::int64_t>(&row.value);
      const bool is_type =
          row.name == "to" || row.name.ends_with("dtype") || row.name == "output_datatype";
      if (number && is_type && *number == static_cast<std::int64_t>(type)) return &row;
      const auto* const held = std::get_if<std::shared_ptr<const ir::Tensor>>(&row.value);
      if (held && *held && (*held)->type() == type) return &row;
    }
    return nullptr;
  }

  static void rename_type(ir::Attribute& row, ElementType wide) {
    if (auto* const held = std::get_if<std::shared_ptr<const ir::Tensor>>(&row.value)) {
      if (Result<ir::Tensor> made = ir::convert(**held, wide))
        *held = std::make_shared<const ir::Tensor>(*std::move(made));
      return;
    }
    row.value = static_cast<std::int64_t>(wide);
  }

  // An output without an attribute has the type of an input, and changes with it.
  bool follows(ElementType narrow, ElementType wide) const {
    return std::any_of(found_.begin(), found_.end(), [&](const auto& entry) {
      return entry.second.is_read && entry.second.type == narrow && entry.second.wide == wide;
    });
  }

  ir::Model& model_;
  const Operator& op_;
  const ir::NodeId id_;
  ir::FreshNames& names_;
  std::map<int, Variable> found_;
  std::string why_;
};

}  // namespace

std::string stand_in(ir::Model& model, const Operator& op, ir::NodeId id, ir::FreshNames& names,
                     std::vector<ir::NodeId>& out) {
  return StandIn(model, op, id, names).run(out);
}

}  // namespace godwit::ops
