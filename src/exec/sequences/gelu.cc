// GELU of the chip's library: x / (1 + exp(-1.59577 (x + 0.044715 x^3))), never the erf form.
#include <cmath>

#include "exec/sequence.h"

namespace godwit::exec::sequences {
namespace {

// 2 sqrt(2 / pi), as the library has it.
constexpr float kSlope = 1.595769122f, kCubic = 0.044715f;

Status run(ChipStep& step) {
  ops::Call& call = step.call;
  if (call.input(0).type() != ir::ElementType::kFloat || !step.chip.gelu_is_tanh)
    return call.op().evaluate(call);
  const kernels::Narrowing each = step.chip.gelu_in_fp16 ? step.half() : kernels::Narrowing{};
  const auto rounded = [&](float value) { return kernels::ref::narrow(value, each); };
  const std::span<const float> x = call.values<float>(0);
  ASSIGN(const std::span<float> y, call.make<float>(0, call.input(0).dims()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float cube = rounded(rounded(x[i] * x[i]) * x[i]);
    const float inner = rounded(x[i] + rounded(kCubic * cube));
    const float power = rounded(std::exp(rounded(-kSlope * inner)));
    y[i] = rounded(x[i] / rounded(1.0f + power));
  }
  return {};
}

}  // namespace

extern const Sequence gelu = {.op = "Gelu", .run = run};

}  // namespace godwit::exec::sequences
