// Whole numbers and small floats back as the real numbers that they stand for.
#include "ops/expect.h"
#include "ops/quantize.h"

namespace godwit::ops::operators {
namespace {

ElementType made_type(const Site& site, ElementType scale) {
  const auto said = static_cast<ElementType>(site.integer("output_dtype"));
  return said == ElementType::kUndefined ? scale : said;
}

Status infer(Inference& n) {
  n.set(0, made_type(n, n.element(1)), n.type(0).shape);
  return {};
}

Status evaluate(Call& call) {
  const Tensor &x = call.input(0), &scale = call.input(1), &zero = call.input(2);
  const ElementType type = made_type(call, scale.type());
  if (!kFloats.has(type)) return refuse_attribute(call, "output_dtype");
  if (call.has_input(2) && zero.dims() != scale.dims() && zero.count() != 1)
    return refuse_shapes(call, scale.dims(), zero.dims());
  ASSIGN(const ScaleOf scale_of, ScaleOf::read(call, 1));
  ASSIGN(Tensor* const y, call.make(0, type, x.dims()));
  for (std::size_t i = 0; i < static_cast<std::size_t>(x.count()); ++i) {
    const std::size_t s = scale_of[i];
    const double moved =
        zero.empty() ? 0 : ir::number_at(zero.type(), zero.data(), zero.count() == 1 ? 0 : s);
    const double centred = ir::number_at(x.type(), x.data(), i) - moved;
    ir::store(type, y->mutable_data(), i, centred * ir::number_at(scale.type(), scale.data(), s),
              ir::Overflow::kToInfinity);
  }
  return {};
}

}  // namespace

extern const Operator dequantize_linear = {
    .name = "DequantizeLinear",
    .doc = "(x - zero point) * scale; scales of the tensor, of an axis or of blocks.",
    .since = 10,
    .inputs = {{"x", 'Q', kCodes | kInt32},
               {"x_scale", 'S', kScales},
               {"x_zero_point", 'Q', kCodes | kInt32, kOptional}},
    .outputs = {{"y", 'Y', kFloat | since(19, kSingles)}},
    .attributes = {{.name = "axis", .fallback = 1, .since = 13},
                   {.name = "block_size", .fallback = 0, .since = 21},
                   {.name = "output_dtype", .fallback = 0, .since = 23}},
    .revisions = {13, 19, 21, 23, 24, 25, 28},
    .numerics = Numerics::kQuantize,
    .storage = Storage::kAsStored,
    .infer = infer,
    .evaluate = evaluate,
    .flop = flop_per_output<2>,
};

}  // namespace godwit::ops::operators
