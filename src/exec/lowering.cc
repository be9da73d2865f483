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
  if (value == ir::kNone) return false;
  const ir::ElementType written = model_.values[value].type.element;
  return numbers_.arithmetic.carried_as(value, written) == ir::ElementType::kFloat;
}

const float* Part::floats(ir::ValueId value) const {
  const ir::Tensor* const held = constant(value);
  if (!held || held->type() != ir::ElementType::kFloat) return nullptr;
  return held->values<float>().data();
}

Result<ir::ValueId> Part::reads(ir::ValueId value, const kernels::engine::Layout& layout) const {
  if (value == ir::kNone) return value;
  ASSIGN(const ir::ValueId as_wanted, layouts_.as(value, layout));
  uses_.push_back(as_wanted);
  return as_wanted;
}

bool Part::keeps_bits() const {
  return !npu() || npu()->storing(input(0)).how == npu()->storing(node().outputs[0]).how;
}

kernels::Epilogue Part::epilogue(BiasAxis axis) const {
  kernels::Epilogue out{.activation = tail_.activation,
                        .low = tail_.low,
                        .high = tail_.high,
                        .store = store().how,
                        .losses = store().losses};
  const float* const bias = floats(tail_.bias);
  (axis == BiasAxis::kChannel ? out.row_bias : out.column_bias) = bias;
  return out;
}

kernels::engine::Layout engine_layout(const ir::Sizes& sizes) {
  std::vector<std::size_t> dims(sizes.begin(), sizes.end());
  if (dims.size() == 3) dims.insert(dims.begin() + 2, 1);
  return kernels::engine::Layout::plain(dims);
}

namespace {

using Rows = std::map<std::string_view, const Lowering*>;

Rows rows_with(Result<Step> (*Lowering::*make)(const Part&)) {
  Rows rows;
  for (const Lowering* const row : kLowerings) {
    if (!(row->*make)) continue;
    for (const std::string_view op : row->ops) rows.emplace(op, row);
  }
  return rows;
}

}  // namespace

const Lowering* find_lowering(const ir::Node& node, bool is_on_chip) {
  static const Rows plain = rows_with(&Lowering::make);
  static const Rows on_chip = rows_with(&Lowering::make_on_chip);
  const Rows& rows = is_on_chip ? on_chip : plain;
  const auto at = rows.find(node.op);
  return at == rows.end() || !node.domain.empty() ? nullptr : at->second;
}

}  // namespace godwit::exec
