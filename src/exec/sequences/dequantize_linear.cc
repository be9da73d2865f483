// DequantizeLinear of int8 and int32 as the cube's output path does it: of the scale only sign,
// exponent and ten bits are read.
#include <bit>

#include "exec/quantize.h"
#include "exec/sequence.h"
#include "ir/number.h"

namespace godwit::exec::sequences {
namespace {

constexpr std::uint32_t kNineteenBits = 0xffffe000;

Status run(ChipStep& step) {
  ops::Call& call = step.call;
  const ir::Tensor& x = call.input(0);
  const bool is_integer = x.type() == ir::ElementType::kInt8 || x.type() == ir::ElementType::kInt32;
  const bool has_zeros = !call.has_input(2) || (call.input(2).count() == call.input(1).count() &&
                                                call.input(2).type() == x.type());
  if (!is_integer || !has_zeros || call.input(1).type() != ir::ElementType::kFloat ||
      !step.chip.dequant_scale_is_19_bits)
    return call.op().evaluate(call);
  const std::span<const float> scale = call.values<float>(1);
  ASSIGN(const std::span<float> y, call.make<float>(0, x.dims()));
  const bool fits = for_each_scaled(call, [&](std::size_t i, std::size_t s) {
    const auto read = std::bit_cast<float>(std::bit_cast<std::uint32_t>(scale[s]) & kNineteenBits);
    const std::int64_t zero =
        call.has_input(2) ? ir::integer_at(x.type(), call.input(2).data(), s) : 0;
    y[i] = static_cast<float>(ir::integer_at(x.type(), x.data(), i) - zero) * read;
  });
  return fits ? Status() : call.op().evaluate(call);
}

}  // namespace

extern const Sequence dequantize_linear = {.op = "DequantizeLinear", .run = run};

}  // namespace godwit::exec::sequences
