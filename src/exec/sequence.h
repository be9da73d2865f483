// Sequences: operators that an NPU's library computes in steps of its own, one file each in
// sequences/.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/numerics.h"
#include "kernels/gemm.h"
#include "kernels/half.h"
#include "ops/call.h"

namespace godwit::exec {

/// One evaluation on the chip. 16-bit inputs are widened to fp32; what the sequence makes as fp32
/// is narrowed at the store point afterwards.
struct ChipStep {
  ops::Call& call;
  const facts::Numerics& chip;
  std::optional<kernels::Order> order = kernels::Order::kCube16;  // nothing: the fastest
  /// Of fp32 inputs that still are fp32: what their store would be, and what a product reads.
  bool inputs_are_fp16 = false;
  /// How outputs are stored; a sequence may ask for another rounding or type.
  kernels::Rounding rounding = kernels::Rounding::kNearestEven;
  ir::ElementType stored =
      ir::ElementType::kUndefined;  // of output 0; undefined: as signature says
  kernels::Losses losses{};  // on the way to the outputs: inputs that a product could not keep

  kernels::Overflow overflow() const {
    return chip.saturates ? kernels::Overflow::kSaturate : kernels::Overflow::kInfinity;
  }
  kernels::Narrowing half() const {
    return {.format = kernels::Format::kFp16, .overflow = overflow()};
  }
};

struct Sequence {
  std::string_view op;  // of ai.onnx
  Status (*run)(ChipStep&);
};

extern const std::span<const Sequence* const> kSequences;

/// Null: the operator's own evaluation in fp32, rounded once, is what the chip does.
const Sequence* find_sequence(const ir::Node& node);

/// An fp32 input of a product, as the cube reads it; the tensor itself where nothing changes.
Result<ir::Tensor> cube_operand(ChipStep& step, std::size_t input, facts::CubeInput reads);

/// How the cube reads an fp32 operand; kFp32 where it takes it as it is stored.
kernels::Narrowing cube_narrowing(const facts::Numerics& chip, bool inputs_are_fp16,
                                  facts::CubeInput reads);

/// The prescribed order of sums on the cube; nothing when they may run in any order: none is asked
/// for, and the accumulator is fp32.
std::optional<kernels::Summation> summation(const facts::Numerics& chip,
                                            std::optional<kernels::Order> order);
inline std::optional<kernels::Summation> summation(const ChipStep& step) {
  return summation(step.chip, step.order);
}

/// Sum by binary trees of `repeat` neighbours, then of their sums, until one is left; each addition
/// is narrowed. Uses up `values`.
float tree_sum(std::span<float> values, std::size_t repeat, kernels::Narrowing each);

}  // namespace godwit::exec
