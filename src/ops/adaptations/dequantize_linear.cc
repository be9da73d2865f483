// Before opset 13 there was one scale for the whole tensor; before 21 there were no blocks, and
// whole numbers had eight bits at least.
#include "ir/number.h"
#include "ops/convert.h"
#include "ops/scales.h"

namespace godwit::ops::adaptations {
namespace {

// Weights of fewer bits than the target knows: the same numbers in bytes.
Status widen(Expansion& e, std::int64_t target) {
  for (const std::size_t i : {0, 2}) {
    const ir::Tensor* const held = e.Inference::constant(i);
    if (!held || !is_integer(held->type()) || kKnownTypes.has(held->type(), target)) continue;
    constexpr TypeSet kNoSign = {ElementType::kUint2, ElementType::kUint4};
    const ElementType wide = kNoSign.has(held->type()) ? ElementType::kUint8 : ElementType::kInt8;
    ASSIGN(ir::Tensor made, ir::convert(*held, wide));
    e.edit().inputs[i] = e.constant(std::move(made));
  }
  return {};
}

Result<bool> adapt(Expansion& e, std::int64_t target) {
  TRY(widen(e, target));
  ASSIGN(const Scales scales, scales_of(e));
  if (takes_scales(scales, target)) return false;
  constexpr ElementType kReal = ElementType::kFloat;
  const Term x(e, e.cast(e.input(0), kReal), kReal);
  ASSIGN(const Term scale, spread(e, 1, scales));
  Term centred = x;
  if (e.has_input(2)) {
    ASSIGN(const Term zero, spread(e, 2, scales));
    centred = x - zero.as(kReal);
  }
  const auto said = static_cast<ElementType>(e.integer("output_dtype"));
  const bool is_said = e.opset() >= 23 && said != ElementType::kUndefined;
  e.set_output(0, (centred * scale.as(kReal)).as(is_said ? said : scale.type()));
  return true;
}

}  // namespace

extern const Adaptation dequantize_linear = {
    .op = "DequantizeLinear", .breaks = {13, 21}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
