// Chains of element-wise steps: each chunk of a tensor goes through all of them while it is in the
// first-level cache, rounded after each step as an NPU stores what lies between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/elementwise.h"

namespace godwit::kernels {

/// The other operand of a step. Element (r, c) is data[r / each % rows * row_step + c *
/// column_step]; a step of 0 repeats, column_step is 0 or 1.
struct ChainOperand {
  const float* data = nullptr;
  std::size_t row_step = 0;
  std::size_t column_step = 1;
  std::size_t each = 1;
  std::size_t rows = ~std::size_t{0};
  bool is_source = false;  ///< instead: what the chain started from
};

/// A function of one fp16 number as all its values: y = values[fp16 code of x].
struct HalfTable {
  static constexpr std::size_t kCodes = 65536;
  const float* values = nullptr;
  /// 0, or what the rounding of a value lost: 1 an overflow, 2 a NaN. Null: none loses.
  const std::uint8_t* lost = nullptr;
};

struct ChainLink {
  enum class Kind : std::uint8_t { kUnary, kBinary, kTable };
  Kind kind = Kind::kUnary;
  Unary unary = Unary::kIdentity;
  float a = 0;
  float b = 0;
  Binary binary = Binary::kAdd;
  bool is_swapped = false;  ///< op(operand, x) instead of op(x, operand)
  ChainOperand operand{};
  HalfTable table{};  ///< x must be fp16 numbers; the values are as they are stored
  Store store{};
};

/// rows x columns, dense.
struct Chain {
  const float* in = nullptr;
  float* out = nullptr;  ///< may be `in`
  std::size_t rows = 1;
  std::size_t columns = 0;
  std::span<const ChainLink> links{};
};

/// On all threads; the bits depend on no number of threads.
void chain(const Chain& call);

}  // namespace godwit::kernels
