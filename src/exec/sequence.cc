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

Result<ir::Tensor> cube_operand(ChipStep& step, std::size_t input, facts::CubeInput reads) {
  const ir::Tensor& tensor = step.call.input(input);
  if (step.inputs_are_fp16 || reads == facts::CubeInput::kFp32) return tensor;
  ASSIGN(ir::Tensor out, ir::Tensor::make(tensor.type(), tensor.dims()));
  kernels::Narrowing how = step.half();
  if (reads == facts::CubeInput::kHf32) {
    how.format = kernels::Format::kHf32;
    how.rounding = step.chip.hf32_ties_away ? kernels::Rounding::kNearestAway
                                            : kernels::Rounding::kNearestEven;
  }
  step.losses += kernels::narrow(tensor.values<float>().data(), out.mutable_values<float>().data(),
                                 static_cast<std::size_t>(tensor.count()), how);
  return out;
}

kernels::Summation summation(const ChipStep& step) {
  kernels::Summation out{.order = step.order.value_or(kernels::Order::kCube16)};
  if (step.chip.accumulates_in_fp16) out.accumulator = step.half();
  return out;
}

bool sums_freely(const ChipStep& step) { return !step.order && !step.chip.accumulates_in_fp16; }

void multiply(const ChipStep& step, const kernels::Gemm& product) {
  if (sums_freely(step)) return kernels::gemm(product);
  kernels::ordered_gemm(product, summation(step));
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
