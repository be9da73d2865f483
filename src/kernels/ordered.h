// Matrix products whose order of additions is prescribed: what the NPU's cube does, or may do.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gemm.h"

namespace godwit::kernels {

enum class Order : std::uint8_t {
  kSequential,  ///< one product after the other
  kCube16,      ///< 16 products in a binary tree, the trees' sums one after the other: the fractal
  kExact,       ///< in fp64, rounded once; exact for fp16 inputs unless their exponents span 2^53
};

/// How a sum along K runs. Each product and each addition rounds to fp32 (no fused multiply-add);
/// then `accumulator` narrows the running sum: after each product (kSequential), after each
/// fractal (kCube16), at the end (kExact). A last fractal is filled up with zeros.
struct Summation {
  Order order = Order::kCube16;
  Narrowing accumulator{};
};

/// As gemm, with the order of `how`: bit-equal to ref::ordered_gemm at every SIMD level and number
/// of threads. Operands are views (nothing is packed beforehand); C = alpha A B + beta C rounds
/// each of the three operations. What accumulators lost is counted with the epilogue's losses.
void ordered_gemm(const Gemm& call, Summation how);

namespace ref {

/// sum of a[i * a_step] * b[i * b_step].
float ordered_dot(std::size_t k, const float* a, std::size_t a_step, const float* b,
                  std::size_t b_step, Summation how);

/// One element after the other; counts no losses.
void ordered_gemm(const Gemm& call, Summation how);

}  // namespace ref
}  // namespace godwit::kernels
