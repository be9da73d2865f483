// Real numbers as whole ones, or as small floats, by scales and zero points.
#include "ops/expect.h"
#include "ops/quantize.h"

namespace godwit::ops::operators {
namespace {

ElementType made_type(const Site& site, ElementType zero) {
  const auto said = static_cast<ElementType>(site.integer("output_dtype"));
  if (zero != ElementType::kUndefined) return zero;
  return said == ElementType::kUndefined ? ElementType::kUint8 : said;
}

Status infer(Inference& n) {
  n.set(0, made_type(n, n.element(2)), n.type(0).shape);
  return {};
}

// The type that the division rounds to: the attribute precision, else the type of the scale.
ElementType quotient_type(const Call& call) {
  const auto said = static_cast<ElementType>(call.integer("precision"));
  const ElementType scale = call.input(1).type();
  if (said != ElementType::kUndefined) return said;
  if (scale == ElementType::kFloat8E8M0) return ElementType::kFloat;
  return ir::is_floating(scale) ? scale : ElementType::kDouble;
}

double rounded(double value, ElementType type) {
  std::byte held[8];
  ir::store(type, held, 0, value, ir::Overflow::kToInfinity);
  return ir::number_at(type, held, 0);
}

Status evaluate(Call& call) {
  const Tensor &x = call.input(0), &scale = call.input(1), &zero = call.input(2);
  const ElementType type = made_type(call, zero.type()), precision = quotient_type(call);
  if (!kCodes.all().has(type) || (call.integer("output_dtype") && made_type(call, {}) != type))
    return refuse_attribute(call, "output_dtype");
  if (!(kFloats | kFloat8).has(precision)) return refuse_attribute(call, "precision");
  if (call.has_input(2) && zero.dims() != scale.dims() && zero.count() != 1)
    return refuse_shapes(call, scale.dims(), zero.dims());
  ASSIGN(const ScaleOf scale_of, ScaleOf::read(call, 1));
  ASSIGN(const CastRules rules, read_cast_rules(call));
  ASSIGN(Tensor* const y, call.make(0, type, x.dims()));
  for (std::size_t i = 0; i < static_cast<std::size_t>(x.count()); ++i) {
    const std::size_t s = scale_of[i];
    const double value = rounded(ir::number_at(x.type(), x.data(), i), precision);
    const double by = rounded(ir::number_at(scale.type(), scale.data(), s), precision);
    const double moved =
        zero.empty() ? 0 : ir::number_at(zero.type(), zero.data(), zero.count() == 1 ? 0 : s);
    store_quantized(type, y->mutable_data(), i, rounded(value / by, precision), moved, rules);
  }
  return {};
}

}  // namespace

extern const Operator quantize_linear = {
    .name = "QuantizeLinear",
    .doc = "round(x / scale) + zero point, held in range; scales of the tensor, an axis or blocks.",
    .since = 10,
    .inputs = {{"x", 'X', kFloat | kInt32 | since(19, kSingles)},
               {"y_scale", 'S', kScales | since(19, kInt32)},
               {"y_zero_point", 'Q', kCodes, kOptional}},
    .outputs = {{"y", 'Q', kCodes}},
    .attributes = {{.name = "axis", .fallback = 1, .since = 13},
                   {.name = "saturate", .fallback = 1, .since = 19},
                   {.name = "block_size", .fallback = 0, .since = 21},
                   {.name = "output_dtype", .fallback = 0, .since = 21},
                   {.name = "precision", .fallback = 0, .since = 23}},
    .revisions = {13, 19, 21, 23, 24, 25, 28},
    .numerics = Numerics::kQuantize,
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
    .flop = flop_per_output<2>,
};

}  // namespace godwit::ops::operators
