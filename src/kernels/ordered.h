// The order of the additions in a product, where it is prescribed: what the NPU's cube does, or may
// do.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/half.h"

namespace godwit::kernels {

struct Gemm;

enum class Order : std::uint8_t {
  kSequential,  ///< one product after the other
  kCube16,      ///< 16 products one after the other, the sums of sixteen likewise: the fractal
  kExact,       ///< in fp64, rounded once; exact for fp16 inputs unless their exponents span 2^53
};

/// Products that the cube adds up before their sum joins the accumulator.
inline constexpr std::size_t kFractal = 16;

/// How a sum along K runs. A product is exact (those of fp16 numbers are in fp32, and those of HF32
/// numbers unless they leave its range), each addition rounds to fp32; then `accumulator` narrows
/// the running sum: after each product (kSequential), after each sixteen (kCube16), at the end
/// (kExact). What is left over at the end of K is a shorter sixteen.
struct Summation {
  Order order = Order::kCube16;
  Narrowing accumulator{};
};

/// Whether this order runs through K without a sum beside the accumulator.
constexpr bool runs_on(const Summation& how) {
  return how.order == Order::kSequential && how.accumulator == Narrowing{};
}

namespace ref {

/// A running sum in the order of `how`, fed with the products along K.
class OrderedSum {
 public:
  explicit OrderedSum(Summation how) : how_(how) {}
  /// `n` products that are added up before they join the accumulator, kFractal at most.
  void add(std::size_t n, const float* a, std::size_t a_step, const float* b, std::size_t b_step);
  float result() const;

 private:
  Summation how_;
  float sum_ = 0;
  double wide_ = 0;
};

/// As gemm, one element after the other; counts no losses.
void ordered_gemm(const Gemm& call, Summation how);

}  // namespace ref
}  // namespace godwit::kernels
