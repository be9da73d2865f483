// What lowerings share: static sizes, constants, the epilogue of a tail.
#include "exec/lowering.h"

#include <map>
#include <utility>

namespace godwit::exec {

std::optional<ir::Sizes> Part::sizes(ir::ValueId value) const {
  if (value == ir::kNone) return std::nullopt;
  return static_sizes(model_.values[value].type);
}

bool Part::is_fp32(ir::ValueId value) const {
  return value != ir::kNone && model_.values[value].type.element == ir::ElementType::kFloat;
}

const float* Part::floats(ir::ValueId value) const {
  const ir::Tensor* const held = constant(value);
  if (!held || held->type() != ir::ElementType::kFloat) return nullptr;
  return held->values<float>().data();
}

kernels::Epilogue Part::epilogue(BiasAxis axis) const {
  kernels::Epilogue out{
      .activation = tail_.activation, .low = tail_.low, .high = tail_.high, .store = store_};
  const float* const bias = floats(tail_.bias);
  (axis == BiasAxis::kChannel ? out.row_bias : out.column_bias) = bias;
  return out;
}

const Lowering* find_lowering(const ir::Node& node) {
  using Key = std::pair<std::string_view, std::string_view>;
  static const std::map<Key, const Lowering*> table = [] {
    std::map<Key, const Lowering*> rows;
    for (const Lowering* const row : kLowerings) rows.emplace(Key(row->domain, row->op), row);
    return rows;
  }();
  const auto at = table.find(Key(node.domain, node.op));
  return at == table.end() ? nullptr : at->second;
}

}  // namespace godwit::exec
