// Arithmetic that is defined for every value: whole numbers wrap around, NaN wins over any number.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "ops/types.h"

namespace godwit::ops {

/// What Add, Sub, Mul and Div take.
inline constexpr TypeHistory kArithmetic =
    floats(13) | since(6, kWideIntegers) | since(14, kIntegers);

/// What sums of T are kept in: floats are added in fp64 and rounded once, so that a reference
/// result does not hang on the order of a sum.
template <class T>
using Accumulator = std::conditional_t<std::is_floating_point_v<T>, double, T>;

// The builtins give the wrapped value whether or not they report an overflow.
template <class T>
T wrapping_add(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    T out;
    (void)__builtin_add_overflow(a, b, &out);
    return out;
  } else {
    return a + b;
  }
}

template <class T>
T wrapping_subtract(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    T out;
    (void)__builtin_sub_overflow(a, b, &out);
    return out;
  } else {
    return a - b;
  }
}

template <class T>
T wrapping_multiply(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    T out;
    (void)__builtin_mul_overflow(a, b, &out);
    return out;
  } else {
    return a * b;
  }
}

template <class T>
bool is_nan(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return std::isnan(x);
  else
    return false;
}

template <class T>
T larger(T a, T b) {
  return is_nan(a) || a >= b ? a : b;
}

template <class T>
T smaller(T a, T b) {
  return is_nan(a) || a <= b ? a : b;
}

template <class T>
T magnitude(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fabs(x);
  else if constexpr (std::is_signed_v<T>)
    return x < 0 ? wrapping_subtract(T(0), x) : x;
  else
    return x;
}

/// The quotient of whole numbers, cut toward zero. `b` is not 0.
template <class T>
T divide(T a, T b) {
  if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {
    if (b == -1) return wrapping_subtract(T(0), a);  // the least number has no positive twin
  }
  return static_cast<T>(a / b);
}

/// The remainder of whole numbers with the sign of `a`. `b` is not 0.
template <class T>
T remainder(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}

/// 1 / (1 + exp(-x)) without an overflow.
template <class T>
T logistic(T x) {
  const T small = std::exp(-std::fabs(x));
  return (x < 0 ? small : T(1)) / (T(1) + small);
}

}  // namespace godwit::ops
