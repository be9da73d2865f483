// LayerNormalization of the chip's library: in fp32, by a square root and a division where other
// libraries multiply by a reciprocal root.
#include <cmath>

#include "exec/sequence.h"
#include "ops/walk.h"

namespace godwit::exec::sequences {
namespace {

struct Moments {
  float mean, variance;
};

Moments moments(std::span<const float> x) {
  const auto count = static_cast<float>(x.size());
  float sum = 0, squares = 0;
  for (const float value : x) sum += value;
  const float mean = sum / count;
  for (const float value : x) squares += (value - mean) * (value - mean);
  return {mean, squares / count};
}

Status run(ChipStep& step) {
  ops::Call& call = step.call;
  const ir::Sizes& dims = call.input(0).dims();
  const bool is_plain = call.input(0).type() == ir::ElementType::kFloat && !call.wants_output(1) &&
                        !call.wants_output(2);
  if (!is_plain) return call.op().evaluate(call);
  ASSIGN(const std::size_t axis, call.axis("axis", dims.size()));
  const auto length = static_cast<std::size_t>(ops::product(dims, axis, dims.size()));
  const auto is_row = [&](std::size_t i) {
    return !call.has_input(i) || static_cast<std::size_t>(call.input(i).count()) == length;
  };
  if (length == 0 || !is_row(1) || !is_row(2)) return call.op().evaluate(call);
  const std::span<const float> x = call.values<float>(0), scale = call.values<float>(1);
  const std::span<const float> bias =
      call.has_input(2) ? call.values<float>(2) : std::span<const float>();
  const float epsilon = call.number("epsilon");
  ASSIGN(const std::span<float> y, call.make<float>(0, dims));
  for (std::size_t start = 0; start < x.size(); start += length) {
    const Moments row = moments(x.subspan(start, length));
    const float root = std::sqrt(row.variance + epsilon);
    for (std::size_t i = 0; i < length; ++i) {
      const float centred = x[start + i] - row.mean;
      const float normal = step.chip.layernorm_divides ? centred / root : centred * (1.0f / root);
      y[start + i] = normal * scale[i] + (bias.empty() ? 0.0f : bias[i]);
    }
  }
  return {};
}

}  // namespace

extern const Sequence layer_normalization = {.op = "LayerNormalization", .run = run};

}  // namespace godwit::exec::sequences
