// What sequences share: operands of the cube, the order of its sums, trees of the vector unit.
#include "exec/sequence.h"

#include <algorithm>

namespace godwit::exec {

const Sequence* find_sequence(const ir::Node& node) {
  if (!node.domain.empty()) return nullptr;
  for (const Sequence* const sequence : kSequences) {
    if (sequence->op == node.op) return sequence;
  }
  return nullptr;
}

kernels::Narrowing cube_narrowing(const facts::Numerics& chip, bool inputs_are_fp16,
                                  facts::CubeInput reads) {
  if (inputs_are_fp16 || reads == facts::CubeInput::kFp32) return {};
  const auto overflow =
      chip.saturates ? kernels::Overflow::kSaturate : kernels::Overflow::kInfinity;
  if (reads == facts::CubeInput::kFp16)
    return {.format = kernels::Format::kFp16, .overflow = overflow};
  return {.format = kernels::Format::kHf32,
          .rounding = chip.hf32_ties_away ? kernels::Rounding::kNearestAway
                                          : kernels::Rounding::kNearestEven,
          .overflow = overflow};
}

Result<ir::Tensor> cube_operand(ChipStep& step, std::size_t input, facts::CubeInput reads) {
  const ir::Tensor& tensor = step.call.input(input);
  const kernels::Narrowing how = cube_narrowing(step.chip, step.inputs_are_fp16, reads);
  if (how.format == kernels::Format::kFp32) return tensor;
  ASSIGN(ir::Tensor out, ir::Tensor::make(tensor.type(), tensor.dims()));
  step.losses += kernels::narrow(tensor.values<float>().data(), out.mutable_values<float>().data(),
                                 static_cast<std::size_t>(tensor.count()), how);
  return out;
}

std::optional<kernels::Summation> summation(const facts::Numerics& chip,
                                            std::optional<kernels::Order> order) {
  if (!order && !chip.accumulates_in_fp16) return std::nullopt;
  kernels::Summation out{.order = order.value_or(kernels::Order::kCube16)};
  const auto overflow =
      chip.saturates ? kernels::Overflow::kSaturate : kernels::Overflow::kInfinity;
  if (chip.accumulates_in_fp16)
    out.accumulator = {.format = kernels::Format::kFp16, .overflow = overflow};
  return out;
}

float tree_sum(std::span<float> values, std::size_t repeat, kernels::Narrowing each) {
  if (values.empty()) return 0;
  const auto tree = [&](std::span<float> block) {
    while (block.size() > 1) {
      const std::size_t pairs = block.size() / 2;
      for (std::size_t i = 0; i < pairs; ++i)
        block[i] = kernels::ref::narrow(block[2 * i] + block[2 * i + 1], each);
      if (block.size() % 2) block[pairs] = block.back();
      block = block.first(pairs + block.size() % 2);
    }
    return block[0];
  };
  while (values.size() > 1) {
    std::size_t sums = 0;
    for (std::size_t start = 0; start < values.size(); start += repeat) {
      const std::size_t length = std::min(repeat, values.size() - start);
      values[sums++] = tree(values.subspan(start, length));
    }
    values = values.first(sums);
  }
  return values[0];
}

}  // namespace godwit::exec
