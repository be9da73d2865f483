// The two reference arithmetics.
#include "exec/arithmetic.h"

#include <optional>
#include <utility>

#include "exec/convert.h"
#include "exec/evaluate.h"
#include "exec/wide_products.h"
#include "ops/signature.h"

namespace godwit::exec {
namespace {

using ir::Datum;
using ir::ElementType;

ElementType doubled(ElementType type) {
  const bool is_real = type == ElementType::kFloat || type == ElementType::kFloat16 ||
                       type == ElementType::kBfloat16;
  return is_real ? ElementType::kDouble : type;
}

bool is_cast_of_reals(const ir::Node& node, const std::vector<Datum>& inputs) {
  if (node.op != "Cast" || !node.domain.empty() || inputs.empty()) return false;
  if (inputs[0].tensor.type() != ElementType::kDouble) return false;
  const ir::Attribute* const to = node.attribute("to");
  const auto* const number = to ? std::get_if<std::int64_t>(&to->value) : nullptr;
  return number && doubled(static_cast<ElementType>(*number)) == ElementType::kDouble;
}

// An operator that takes no doubles gets the floats that it would.
Status narrow_for(const ir::Node& node, std::vector<Datum>& inputs) {
  const ops::Operator* const op = ops::find_operator(node);
  for (std::size_t i = 0; op && i < inputs.size(); ++i) {
    const ops::Parameter* const row = ops::find_parameter(op->inputs, node.opset, i);
    const ir::TypeSet taken = row ? row->types.all() : ir::TypeSet();
    if (taken.has(ElementType::kDouble) || !taken.has(ElementType::kFloat)) continue;
    ASSIGN(inputs[i], converted(std::move(inputs[i]), [](ElementType type) {
             return type == ElementType::kDouble ? ElementType::kFloat : type;
           }));
  }
  return {};
}

}  // namespace

Result<std::vector<Datum>> AsWritten::evaluate(const ir::Node& node, std::vector<Datum> inputs,
                                               const ops::Host& host) {
  return exec::evaluate(node, std::move(inputs), host);
}

Result<Datum> InDouble::carry(ir::ValueId, Datum datum) {
  return converted(std::move(datum), doubled);
}

Result<std::vector<Datum>> InDouble::evaluate(const ir::Node& node, std::vector<Datum> inputs,
                                              const ops::Host& host) {
  // What fp64 carries has no narrower form to be cast to.
  if (is_cast_of_reals(node, inputs)) return std::vector<Datum>{std::move(inputs[0])};
  TRY(narrow_for(node, inputs));
  ASSIGN(std::optional<Datum> product, wide_product(node, inputs, host));
  if (product) return std::vector<Datum>{*std::move(product)};
  ASSIGN(std::vector<Datum> out, exec::evaluate(node, std::move(inputs), host));
  for (Datum& datum : out) {
    ASSIGN(datum, converted(std::move(datum), doubled));
  }
  return out;
}

}  // namespace godwit::exec
