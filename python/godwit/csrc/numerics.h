// Numbers as the chip has them, at the border of an operator: what a product reads, what a result
// is stored as.
#pragma once

#include <ATen/core/Tensor.h>

#include "operator.h"

namespace godwit {

/// How a product reads fp32.
enum class CubeInput : uint8_t { kFp32, kHf32, kFp16 };

struct ChipNumerics {
  bool on = false;
  bool saturates = false;
  CubeInput matmul = CubeInput::kFp32;
  CubeInput convolution = CubeInput::kFp32;
  bool ties_to_even = true;  // of HF32
};

extern ChipNumerics chip_numerics;

/// True where arguments must go through round_operand.
inline bool reads_rounded(const Operator& op) {
  return C10_UNLIKELY(chip_numerics.on) && op.numerics >= Numerics::kMatmul;
}

/// The operand as the chip reads it: a product's fp32 rounded, fp16 as fp32 (computed wide, rounded
/// once).
at::Tensor round_operand(const Operator& op, size_t index, const at::Tensor& host);

/// An fp32 tensor to write in place of an fp16 one; undefined where it is written as it is.
at::Tensor widen_written(const Operator& op, const at::Tensor& host);
void narrow_written(const Operator& op, const at::Tensor& wide, const at::Tensor& host);

/// Saturates a written argument.
void saturate_result(const Operator& op, const at::Tensor& host);

/// Saturates a tensor whatever `op` does with values.
void saturate_stored(const Operator& op, const at::Tensor& host);

/// What a fresh result is stored as: fp16 where the operator was asked in fp16 (`type`), saturated.
at::Tensor store_result(const Operator& op, const at::Tensor& result, c10::ScalarType type);

}  // namespace godwit
