// Every element type as numbers: what its bits mean, and the nearest bits of a number.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ir/element_type.h"

namespace godwit::ir {

/// A small binary floating-point format. Sources: IEEE 754 (fp16), the OCP 8-bit and microscaling
/// formats, and the "FNUZ" variants of arXiv 2206.02915.
struct FloatFormat {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  bool has_infinity;  // all exponent bits set: infinity and NaN as in IEEE 754
  enum class Nan : std::uint8_t { kIeee, kAllOnes, kNegativeZero, kNever } nan;
  bool has_sign = true;
};

inline constexpr FloatFormat kHalf{5, 10, 15, true, FloatFormat::Nan::kIeee};
inline constexpr FloatFormat kBrain{8, 7, 127, true, FloatFormat::Nan::kIeee};

/// The format of a floating type of 16 bits or fewer; null for others.
const FloatFormat* float_format(ElementType type);

double decode(const FloatFormat& format, std::uint32_t bits);

/// What becomes of a number too large for a format: infinity (or NaN, where it has none), or the
/// largest number.
enum class Overflow : std::uint8_t { kToInfinity, kSaturate };

/// The nearest value, ties to even.
std::uint32_t encode(const FloatFormat& format, double value, Overflow overflow);

/// Element `index` of an array in memory (see Tensor), read at any address.
double number_at(ElementType type, const std::byte* data, std::size_t index);
std::int64_t integer_at(ElementType type, const std::byte* data, std::size_t index);

/// Writes the nearest value of the type: ties to even for floats, whole numbers cut toward zero and
/// wrapped to the width as C++ and numpy do.
void store(ElementType type, std::byte* data, std::size_t index, double value, Overflow overflow);

}  // namespace godwit::ir
