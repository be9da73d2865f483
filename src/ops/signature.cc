// Types of inputs against parameters, so that no evaluation meets a type it did not ask for.
#include "ops/signature.h"

#include "base/text.h"
#include "ops/site.h"

namespace godwit::ops {
namespace {

using ir::Datum;

bool is_there_in(const Parameter& row, std::int64_t opset) {
  return opset >= row.since && opset <= row.until;
}

bool takes(const Parameter& row, ElementType type) {
  const bool as_float = type == ElementType::kDouble && row.types.has(ElementType::kFloat);
  return row.types.has(type) || as_float;
}

}  // namespace

const Parameter* find_parameter(std::span<const Parameter> rows, std::int64_t opset,
                                std::size_t i) {
  const Parameter* last = nullptr;
  for (const Parameter& row : rows) {
    if (!is_there_in(row, opset)) continue;
    if (i-- == 0) return &row;
    last = &row;
  }
  return last && last->kind == kVariadic ? last : nullptr;
}

Status check_inputs(const Operator& op, const ir::Node& node, const std::vector<Datum>& inputs) {
  const Site site(op, node);
  const auto refuse_type = [&](std::size_t i) {
    return site.refuse("input_type", {{"input", format("{}", i)},
                                      {"type", std::string(ir::name(inputs[i].tensor.type()))}});
  };
  std::vector<std::pair<char, ElementType>> chosen;  // by variable
  std::size_t i = 0;
  for (const Parameter* row; (row = find_parameter(op.inputs, node.opset, i)); ++i) {
    const bool is_there = i < inputs.size() && inputs[i].kind != Datum::Kind::kNothing;
    if (i >= inputs.size() && row->kind == kVariadic) break;
    if (!is_there && row->kind == Parameter::Kind::kRequired)
      return site.refuse("missing", {{"input", std::string(row->name)}});
    if (!is_there) continue;
    if (!inputs[i].is_tensor()) {
      if (op.storage == Storage::kWidened) return refuse_type(i);
      continue;
    }
    const ElementType type = inputs[i].tensor.type();
    if (!takes(*row, type)) return refuse_type(i);
    if (op.numerics == Numerics::kControl) continue;  // its graphs take values of any types
    for (const auto& [variable, other] : chosen) {
      if (variable == row->variable && other != type) return refuse_type(i);
    }
    chosen.emplace_back(row->variable, type);
  }
  for (; i < inputs.size(); ++i) {  // more than the operator has
    if (inputs[i].kind != Datum::Kind::kNothing) return refuse_type(i);
  }
  return {};
}

}  // namespace godwit::ops
