// Element-wise kernels in fp32, on all threads, with an optional rounding to what is stored.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/half.h"

namespace godwit::kernels {

/// How results are stored: rounded to a narrow format, losses added to `losses` if given.
struct Store {
  Narrowing how{};
  Losses* losses = nullptr;
};

enum class Unary : std::uint8_t {
  kIdentity,     ///< a copy, or the rounding alone
  kNegate,       ///< exact
  kAbs,          ///< exact
  kSquare,       ///< correctly rounded
  kSqrt,         ///< correctly rounded
  kReciprocal,   ///< 1 / x, correctly rounded
  kRsqrt,        ///< 1 / sqrt(x), two roundings: at most 1.5 ULP
  kRelu,         ///< exact; NaN stays
  kClip,         ///< between a and b; NaN stays
  kLeakyRelu,    ///< x < 0: a x
  kExp,          ///< 1.1 ULP
  kSigmoid,      ///< 2.5 ULP
  kTanh,         ///< 1.5 ULP
  kErf,          ///< 1.5 ULP
  kGelu,         ///< x (1 + erf(x / sqrt 2)) / 2; error at most 2^-22 |x|
  kGeluTanh,     ///< x sigmoid(2 sqrt(2/pi) (x + 0.044715 x^3)); 2^-19 relative where |x| < 4
  kSilu,         ///< x sigmoid(x), 3 ULP; beyond -87, where sigmoid(x) is subnormal, 2^-142
  kHardSigmoid,  ///< max(0, min(1, a x + b)), two roundings
  kHardSwish,    ///< x hard_sigmoid(x) with a = 1/6, b = 1/2
};

struct UnaryCall {
  Unary op = Unary::kIdentity;
  const float* in = nullptr;
  float* out = nullptr;  ///< may be `in`
  std::size_t n = 0;
  float a = 0;
  float b = 0;
  Store store{};
};

/// y = op(x). Bits depend on no number of threads; kExp to kSilu differ between plain C++ and the
/// levels that fuse multiply and add.
void unary(const UnaryCall& call);

enum class Binary : std::uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kMinimum,  ///< NaN if one of both is
  kMaximum,  ///< NaN if one of both is
  kPower,    ///< x^y: for a y of -1, 1 or 2 correctly rounded, else of the C library (1 ULP)
};

/// A rows x columns operand; a step of 0 repeats: row_step 0 a row, column_step 0 a column, both a
/// scalar. column_step is 0 or 1.
struct Operand {
  const float* data = nullptr;
  std::size_t row_step = 0;
  std::size_t column_step = 1;
};

struct BinaryCall {
  Binary op = Binary::kAdd;
  Operand x{};
  Operand y{};
  float* out = nullptr;  ///< dense; may be an operand that is dense too
  std::size_t rows = 1;
  std::size_t columns = 0;
  Store store{};
};

/// z = op(x, y), correctly rounded but for kPower; the same bits at every SIMD level.
void binary(const BinaryCall& call);

/// Planes of `pixels` each: y = scale[c] x + shift[c] (two roundings) for the plane of channel
/// c = plane % channels, then `activation` without (a, b) or with: a batch normalisation in
/// inference. `out` may be `in`.
struct ScaleShift {
  const float* in = nullptr;
  float* out = nullptr;
  std::size_t planes = 0;
  std::size_t pixels = 0;
  std::size_t channels = 1;
  const float* scale = nullptr;
  const float* shift = nullptr;
  Unary activation = Unary::kIdentity;
  float a = 0;
  float b = 0;
  Store store{};
};
void scale_shift(const ScaleShift& call);

}  // namespace godwit::kernels
