// Before opset 13 there was one scale for the whole tensor, before 21 there were no blocks.
#include "ops/convert.h"
#include "ops/scales.h"

namespace godwit::ops::adaptations {
namespace {

Result<bool> adapt(Expansion& e, std::int64_t target) {
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
