// One node by the evaluation of its operator, with the rounding of small floats around it.
#include "exec/evaluate.h"

#include <utility>

#include "exec/convert.h"
#include "ir/number.h"
#include "ops/operator.h"
#include "ops/signature.h"

namespace godwit::exec {

using ir::Datum;
using ir::ElementType;

bool is_narrow(ElementType type) { return is_floating(type) && ir::float_format(type) != nullptr; }
ElementType widened(ElementType type) { return is_narrow(type) ? ElementType::kFloat : type; }

ElementType stored_type(const ops::Operator& op, std::int64_t opset,
                        const std::vector<Datum>& inputs, std::size_t output) {
  const auto narrow = [&](std::size_t i) {
    const ElementType type = ops::element_of(inputs[i]);
    return is_narrow(type) ? type : ElementType::kUndefined;
  };
  const ops::Parameter* const made = ops::find_parameter(op.outputs, opset, output);
  bool is_left_out = false;
  std::size_t i = 0;
  for (const ops::Parameter* row; made && (row = ops::find_parameter(op.inputs, opset, i)); ++i) {
    const bool is_there = i < inputs.size() && inputs[i].kind != Datum::Kind::kNothing;
    if (i >= inputs.size() && row->repeats()) break;
    if (row->variable != made->variable) continue;
    if (is_there) return narrow(i);
    is_left_out = true;
  }
  return is_left_out && !inputs.empty() ? narrow(0) : ElementType::kUndefined;
}

Result<std::vector<Datum>> evaluate(const ir::Node& node, std::vector<Datum> inputs,
                                    const ops::Host& host) {
  const ops::Operator* const op = ops::find_operator(node);
  if (!op || !op->evaluate) return ops::unknown_operator(node);
  TRY(ops::check_inputs(*op, node, inputs));
  const bool widens = op->storage == ops::Storage::kWidened;
  std::vector<ElementType> stored(node.outputs.size(), ElementType::kUndefined);
  for (std::size_t i = 0; widens && i < stored.size(); ++i)
    stored[i] = stored_type(*op, node.opset, inputs, i);
  for (Datum& input : inputs) {
    if (!widens) break;
    ASSIGN(input, converted(std::move(input), widened));
  }
  ops::Call call(*op, node, std::move(inputs), host);
  TRY(op->evaluate(call));
  std::vector<Datum> out = std::move(call.results());
  out.resize(node.outputs.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (stored[i] == ElementType::kUndefined) continue;
    ASSIGN(out[i], converted(std::move(out[i]), [&](ElementType type) {
             return type == ElementType::kFloat ? stored[i] : type;
           }));
  }
  return out;
}

}  // namespace godwit::exec
