// QuantizeLinear to int8 as AscendQuant does it: input, scale and offset are narrowed to half, the
// product and the sum are half, the integer is the nearest, ties to even.
#include <algorithm>
#include <cmath>

#include "exec/quantize.h"
#include "exec/sequence.h"

namespace godwit::exec::sequences {
namespace {

Status run(ChipStep& step) {
  ops::Call& call = step.call;
  const bool is_int8 = call.has_input(2) && call.input(2).type() == ir::ElementType::kInt8 &&
                       call.input(2).count() == call.input(1).count();
  const bool is_float = call.input(0).type() == ir::ElementType::kFloat &&
                        call.input(1).type() == ir::ElementType::kFloat;
  if (!is_int8 || !is_float || !step.chip.quantizes_in_fp16) return call.op().evaluate(call);
  const auto half = [&](float value) { return kernels::ref::narrow(value, step.half()); };
  const std::span<const float> x = call.values<float>(0), scale = call.values<float>(1);
  const std::span<const std::int8_t> zero = call.values<std::int8_t>(2);
  ASSIGN(const std::span<std::int8_t> y, call.make<std::int8_t>(0, call.input(0).dims()));
  const bool fits = for_each_scaled(call, [&](std::size_t i, std::size_t s) {
    const float product = half(half(x[i]) * half(1.0f / scale[s]));
    const float sum = std::nearbyint(half(product + static_cast<float>(zero[s])));
    y[i] = static_cast<std::int8_t>(std::clamp(sum, -128.0f, 127.0f));
  });
  return fits ? Status() : call.op().evaluate(call);
}

}  // namespace

extern const Sequence quantize_linear = {.op = "QuantizeLinear", .run = run};

}  // namespace godwit::exec::sequences
