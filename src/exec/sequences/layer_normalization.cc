// LayerNormalization of the chip's library: in fp32, by a square root and a division where other
// libraries multiply by a reciprocal root, as the operator's own evaluation does.
#include "exec/sequence.h"
#include "kernels/rows.h"
#include "ops/walk.h"

namespace godwit::exec::sequences {
namespace {

Status run(ChipStep& step) {
  ops::Call& call = step.call;
  const ir::Sizes& dims = call.input(0).dims();
  const bool is_plain = call.input(0).type() == ir::ElementType::kFloat && !call.wants_output(1) &&
                        !call.wants_output(2) && step.chip.layernorm_divides;
  if (!is_plain) return call.op().evaluate(call);
  ASSIGN(const std::size_t axis, call.axis("axis", dims.size()));
  const auto length = static_cast<std::size_t>(ops::product(dims, axis, dims.size()));
  const auto is_row = [&](std::size_t i) {
    return !call.has_input(i) || static_cast<std::size_t>(call.input(i).count()) == length;
  };
  if (length == 0 || !is_row(1) || !is_row(2)) return call.op().evaluate(call);
  const std::span<const float> x = call.values<float>(0);
  ASSIGN(const std::span<float> y, call.make<float>(0, dims));
  const kernels::Norm norm{.scale = call.values<float>(1).data(),
                           .shift = call.has_input(2) ? call.values<float>(2).data() : nullptr,
                           .epsilon = call.number("epsilon")};
  kernels::normalize(
      {.in = x.data(), .out = y.data(), .rows = x.size() / length, .columns = length}, norm);
  return {};
}

}  // namespace

extern const Sequence layer_normalization = {.op = "LayerNormalization", .run = run};

}  // namespace godwit::exec::sequences
