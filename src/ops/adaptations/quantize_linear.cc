// Before opset 13 there was one scale for the whole tensor; before 21 there were no blocks, and
// whole numbers had eight bits.
#include "ir/number.h"
#include "ops/convert.h"
#include "ops/scales.h"

namespace godwit::ops::adaptations {
namespace {

ElementType made_type(const Expansion& e) {
  const auto said = static_cast<ElementType>(e.integer("output_dtype"));
  if (e.has_input(2)) return e.element(2);
  return said == ElementType::kUndefined ? ElementType::kUint8 : said;
}

Result<bool> adapt(Expansion& e, std::int64_t target) {
  ASSIGN(const Scales scales, scales_of(e));
  const ElementType type = made_type(e);
  const bool takes_type = target >= 21 || !kInt16s.has(type);
  if (takes_scales(scales, target) && takes_type) return false;
  if (!(kBytes | kInt16s).has(type))
    return e.refuse("type", {{"type", std::string(ir::name(type))}});
  constexpr ElementType kReal = ElementType::kFloat;
  const Term x(e, e.cast(e.input(0), kReal), kReal);
  ASSIGN(const Term scale, spread(e, 1, scales));
  Term codes = (x / scale.as(kReal)).then("Round");
  if (e.has_input(2)) {
    ASSIGN(const Term zero, spread(e, 2, scales));
    codes = codes + zero.as(kReal);
  }
  const bool is_signed = kSigned.has(type);
  const double count = static_cast<double>(std::int64_t{1} << ir::bits(type));
  const double least = is_signed ? -count / 2 : 0;
  codes = codes.then("Clip", {x.number(least), x.number(least + count - 1)});
  e.set_output(0, codes.as(type));
  return true;
}

}  // namespace

extern const Adaptation quantize_linear = {
    .op = "QuantizeLinear", .breaks = {13, 21}, .adapt = adapt};

}  // namespace godwit::ops::adaptations
