// Encoding and decoding of small floats, and access to elements by their type.
#include "ir/number.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace godwit::ir {
namespace {

template <class T>
T load(const std::byte* data, std::size_t index) {
  T out;
  std::memcpy(&out, data + index * sizeof(T), sizeof(T));
  return out;
}

template <class T>
void put(std::byte* data, std::size_t index, T value) {
  std::memcpy(data + index * sizeof(T), &value, sizeof(T));
}

std::uint32_t nan_bits(const FloatFormat& f) {
  const std::uint32_t exponent = ((1u << f.exponent_bits) - 1) << f.mantissa_bits;
  const std::uint32_t sign = 1u << (f.exponent_bits + f.mantissa_bits);
  switch (f.nan) {
    case FloatFormat::Nan::kIeee: return exponent | (1u << (f.mantissa_bits - 1));
    case FloatFormat::Nan::kAllOnes: return exponent | ((1u << f.mantissa_bits) - 1);
    case FloatFormat::Nan::kNegativeZero: return sign;
    case FloatFormat::Nan::kNever: break;
  }
  return 0;
}

bool is_nan(const FloatFormat& f, std::uint32_t bits) {
  const std::uint32_t sign = f.has_sign ? 1u << (f.exponent_bits + f.mantissa_bits) : 0;
  const std::uint32_t size = bits & ~sign;
  const std::uint32_t exponent = ((1u << f.exponent_bits) - 1) << f.mantissa_bits;
  switch (f.nan) {
    case FloatFormat::Nan::kIeee: return size > exponent;
    case FloatFormat::Nan::kAllOnes: return size == (exponent | ((1u << f.mantissa_bits) - 1));
    case FloatFormat::Nan::kNegativeZero: return bits == sign;
    case FloatFormat::Nan::kNever: break;
  }
  return false;
}

// Bits of the largest finite number, without the sign.
std::uint32_t largest(const FloatFormat& f) {
  const std::uint32_t all = (1u << (f.exponent_bits + f.mantissa_bits)) - 1;
  if (f.has_infinity) return all - (1u << f.mantissa_bits);
  return f.nan == FloatFormat::Nan::kAllOnes ? all - 1 : all;
}

std::int64_t sign_extend(std::uint8_t value, int bits) {
  const int sign = 1 << (bits - 1);
  const int low = value & ((1 << bits) - 1);
  return (low ^ sign) - sign;
}

// A whole number of the width of T, as a cast of numpy gives it on this machine.
template <class T>
T wrap(double value) {
  if (!(value >= -9.2233720368547758e18 && value < 1.8446744073709552e19))
    return static_cast<T>(std::numeric_limits<std::int64_t>::min());
  if (value >= 9.2233720368547758e18) return static_cast<T>(static_cast<std::uint64_t>(value));
  return static_cast<T>(static_cast<std::int64_t>(value));
}

}  // namespace

const FloatFormat* float_format(ElementType type) {
  using Nan = FloatFormat::Nan;
  static constexpr FloatFormat kE4M3FN{4, 3, 7, false, Nan::kAllOnes};
  static constexpr FloatFormat kE4M3FNUZ{4, 3, 8, false, Nan::kNegativeZero};
  static constexpr FloatFormat kE5M2{5, 2, 15, true, Nan::kIeee};
  static constexpr FloatFormat kE5M2FNUZ{5, 2, 16, false, Nan::kNegativeZero};
  static constexpr FloatFormat kE2M1{2, 1, 1, false, Nan::kNever};
  static constexpr FloatFormat kE8M0{8, 0, 127, false, Nan::kAllOnes, false};
  static constexpr FloatFormat kE2M3{2, 3, 1, false, Nan::kNever};
  static constexpr FloatFormat kE3M2{3, 2, 3, false, Nan::kNever};
  switch (type) {
    case ElementType::kFloat16: return &kHalf;
    case ElementType::kBfloat16: return &kBrain;
    case ElementType::kFloat8E4M3FN: return &kE4M3FN;
    case ElementType::kFloat8E4M3FNUZ: return &kE4M3FNUZ;
    case ElementType::kFloat8E5M2: return &kE5M2;
    case ElementType::kFloat8E5M2FNUZ: return &kE5M2FNUZ;
    case ElementType::kFloat4E2M1: return &kE2M1;
    case ElementType::kFloat8E8M0: return &kE8M0;
    case ElementType::kFloat6E2M3: return &kE2M3;
    case ElementType::kFloat6E3M2: return &kE3M2;
    default: return nullptr;
  }
}

double decode(const FloatFormat& f, std::uint32_t bits) {
  if (is_nan(f, bits)) return std::numeric_limits<double>::quiet_NaN();
  const int width = f.exponent_bits + f.mantissa_bits;
  const std::uint32_t size = bits & ((1u << width) - 1);
  const double sign = f.has_sign && (bits >> width & 1) ? -1.0 : 1.0;
  const auto exponent = static_cast<int>(size >> f.mantissa_bits);
  const auto mantissa = static_cast<double>(size & ((1u << f.mantissa_bits) - 1));
  if (f.has_infinity && exponent == (1 << f.exponent_bits) - 1)
    return sign * std::numeric_limits<double>::infinity();
  if (exponent == 0 && f.mantissa_bits > 0)
    return sign * std::ldexp(mantissa, 1 - f.bias - f.mantissa_bits);
  return sign * std::ldexp(1.0 + std::ldexp(mantissa, -f.mantissa_bits), exponent - f.bias);
}

std::uint32_t encode(const FloatFormat& f, double value, Overflow overflow) {
  const int width = f.exponent_bits + f.mantissa_bits;
  if (std::isnan(value)) return nan_bits(f);
  const bool negative = std::signbit(value);
  if (negative && !f.has_sign) return value == 0 ? 0 : nan_bits(f);
  const std::uint32_t sign = negative ? 1u << width : 0;
  const double size = std::fabs(value);
  const double top = decode(f, largest(f));
  const int least = f.mantissa_bits > 0 ? 1 - f.bias : -f.bias;  // exponent of the smallest normal
  double rounded = size;
  if (std::isfinite(size) && size != 0) {
    const int exponent = std::max(std::ilogb(size), least);
    const double unit = std::ldexp(1.0, exponent - f.mantissa_bits);
    rounded =
        std::nearbyint(size / unit) * unit;  // exact but for the rounding: unit is a power of 2
  }
  if (rounded > top) {
    if (overflow == Overflow::kSaturate || (f.nan == FloatFormat::Nan::kNever))
      return sign | largest(f);
    return f.has_infinity ? sign | ((1u << f.exponent_bits) - 1) << f.mantissa_bits : nan_bits(f);
  }
  if (rounded == 0) return f.nan == FloatFormat::Nan::kNegativeZero ? 0 : sign;
  const int exponent = std::ilogb(rounded);
  if (exponent < least)  // subnormal
    return sign | static_cast<std::uint32_t>(std::ldexp(rounded, f.bias - 1 + f.mantissa_bits));
  const auto mantissa =
      static_cast<std::uint32_t>(std::ldexp(rounded, f.mantissa_bits - exponent)) -
      (1u << f.mantissa_bits);
  return sign | static_cast<std::uint32_t>(exponent + f.bias) << f.mantissa_bits | mantissa;
}

std::int64_t integer_at(ElementType type, const std::byte* data, std::size_t index) {
  switch (type) {
    case ElementType::kInt8: return load<std::int8_t>(data, index);
    case ElementType::kInt16: return load<std::int16_t>(data, index);
    case ElementType::kInt32: return load<std::int32_t>(data, index);
    case ElementType::kInt64: return load<std::int64_t>(data, index);
    case ElementType::kUint8:
    case ElementType::kBool: return load<std::uint8_t>(data, index);
    case ElementType::kUint16: return load<std::uint16_t>(data, index);
    case ElementType::kUint32: return load<std::uint32_t>(data, index);
    case ElementType::kUint64: return static_cast<std::int64_t>(load<std::uint64_t>(data, index));
    case ElementType::kUint4: return load<std::uint8_t>(data, index) & 15;
    case ElementType::kUint2: return load<std::uint8_t>(data, index) & 3;
    case ElementType::kInt4: return sign_extend(load<std::uint8_t>(data, index), 4);
    case ElementType::kInt2: return sign_extend(load<std::uint8_t>(data, index), 2);
    default: return wrap<std::int64_t>(number_at(type, data, index));
  }
}

double number_at(ElementType type, const std::byte* data, std::size_t index) {
  if (type == ElementType::kFloat) return load<float>(data, index);
  if (type == ElementType::kDouble) return load<double>(data, index);
  if (type == ElementType::kUint64) return static_cast<double>(load<std::uint64_t>(data, index));
  const FloatFormat* const format = float_format(type);
  if (!format) return static_cast<double>(integer_at(type, data, index));
  return decode(*format, bytes_in_memory(type) == 2 ? load<std::uint16_t>(data, index)
                                                    : load<std::uint8_t>(data, index));
}

void store(ElementType type, std::byte* data, std::size_t index, double value, Overflow overflow) {
  switch (type) {
    case ElementType::kFloat: return put(data, index, static_cast<float>(value));
    case ElementType::kDouble: return put(data, index, value);
    case ElementType::kBool: return put(data, index, static_cast<std::uint8_t>(value != 0));
    case ElementType::kInt8: return put(data, index, wrap<std::int8_t>(value));
    case ElementType::kInt16: return put(data, index, wrap<std::int16_t>(value));
    case ElementType::kInt32: return put(data, index, wrap<std::int32_t>(value));
    case ElementType::kInt64: return put(data, index, wrap<std::int64_t>(value));
    case ElementType::kUint8: return put(data, index, wrap<std::uint8_t>(value));
    case ElementType::kUint16: return put(data, index, wrap<std::uint16_t>(value));
    case ElementType::kUint32: return put(data, index, wrap<std::uint32_t>(value));
    case ElementType::kUint64: return put(data, index, wrap<std::uint64_t>(value));
    case ElementType::kUint4:
    case ElementType::kInt4:
      return put(data, index, static_cast<std::uint8_t>(wrap<std::uint8_t>(value) & 15));
    case ElementType::kUint2:
    case ElementType::kInt2:
      return put(data, index, static_cast<std::uint8_t>(wrap<std::uint8_t>(value) & 3));
    default: break;
  }
  const FloatFormat* const format = float_format(type);
  if (!format) return;
  const std::uint32_t bits = encode(*format, value, overflow);
  if (bytes_in_memory(type) == 2) return put(data, index, static_cast<std::uint16_t>(bits));
  put(data, index, static_cast<std::uint8_t>(bits));
}

}  // namespace godwit::ir
