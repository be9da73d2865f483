// Loops on raw memory for sketches. Vectors of the compiler are used instead of intrinsics: the same text is AVX2, SSE2
// and NEON.
#include "record_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

// x86: one body, two vector units, chosen by the loader. Elsewhere the baseline has vectors.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define GODWIT_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define GODWIT_VECTORS
#endif
#if defined(__GNUC__) && !defined(__clang__)
#define GODWIT_CLONES GODWIT_VECTORS __attribute__((optimize("O3")))
#else
#define GODWIT_CLONES GODWIT_VECTORS
#endif

namespace godwit::record {
namespace {

using Floats = float __attribute__((vector_size(32)));
using Words = std::int32_t __attribute__((vector_size(32)));
using Bits = std::uint32_t __attribute__((vector_size(32)));
using Doubles = double __attribute__((vector_size(32)));
using Longs = std::int64_t __attribute__((vector_size(32)));

template <class Vector, class Value>
__attribute__((always_inline)) inline void load(Vector& into, const Value* from) {
  std::memcpy(&into, from, sizeof into);
}

// One vector type of N lanes and the integers of the same width. `kExponent` has all exponent bits.
template <class Real, class Vector, class Mask, class Integer>
__attribute__((always_inline)) inline BlockSums sum_lanes(const Real* values, std::size_t count,
                                                          Integer exponent) {
  constexpr std::size_t kLanes = sizeof(Vector) / sizeof(Real);
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  // Two accumulators of each kind hide the latency of the additions.
  Vector low[2], high[2], sum[2], squares[2];
  Mask finite[2], zero[2];
  for (int k = 0; k < 2; ++k) {
    low[k] = Vector{} + kInfinity;
    high[k] = Vector{} - kInfinity;
    sum[k] = squares[k] = Vector{};
    finite[k] = zero[k] = Mask{};
  }
  const auto take = [&](const Vector& x, int k) __attribute__((always_inline)) {
    Mask bits;
    std::memcpy(&bits, &x, sizeof bits);
    const Mask good = (bits & exponent) != exponent;  // all ones where finite
    const Vector plain = good ? x : Vector{};
    const Vector at_least = good ? x : Vector{} + kInfinity;
    const Vector at_most = good ? x : Vector{} - kInfinity;
    low[k] = at_least < low[k] ? at_least : low[k];
    high[k] = at_most > high[k] ? at_most : high[k];
    sum[k] += plain;
    squares[k] += plain * plain;
    finite[k] -= good;
    zero[k] -= x == Vector{};
  };
  std::size_t i = 0;
  for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
    Vector x[2];
    load(x[0], values + i);
    load(x[1], values + i + kLanes);
    take(x[0], 0);
    take(x[1], 1);
  }
  for (; i < count; i += kLanes) {  // the rest, filled up with NaN, which counts nowhere
    const std::size_t left = std::min(kLanes, count - i);
    Vector x = Vector{} + std::numeric_limits<Real>::quiet_NaN();
    std::memcpy(&x, values + i, left * sizeof(Real));
    take(x, 0);
  }
  BlockSums out{kInfinity, -kInfinity, 0, 0, 0, 0};
  for (int k = 0; k < 2; ++k) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      out.min = std::min<double>(out.min, low[k][lane]);
      out.max = std::max<double>(out.max, high[k][lane]);
      out.sum += sum[k][lane];
      out.squares += squares[k][lane];
      out.finite += finite[k][lane];
      out.zero += zero[k][lane];
    }
  }
  return out;
}

}  // namespace

GODWIT_CLONES BlockSums sum_block(const float* values, std::size_t count) {
  return sum_lanes<float, Floats, Words, std::int32_t>(values, count, 0x7f800000);
}

GODWIT_CLONES BlockSums sum_block(const double* values, std::size_t count) {
  return sum_lanes<double, Doubles, Longs, std::int64_t>(values, count, 0x7ff0000000000000);
}

GODWIT_CLONES void widen_bfloat(const std::uint16_t* from, float* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bits = std::uint32_t{from[i]} << 16;
    std::memcpy(to + i, &bits, sizeof bits);
  }
}

// Exponent and mantissa move to their place in a float, whose bias is then put right by a product
// that is exact for subnormal halves too. Infinities and NaN keep an exponent of all ones.
GODWIT_CLONES void widen_half(const std::uint16_t* from, float* to, std::size_t count) {
  constexpr float kBias = 5.192296858534828e33F;  // 2^112
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t half = from[i];
    const std::uint32_t moved = (half & 0x7fffU) << 13;
    float value;
    std::memcpy(&value, &moved, sizeof value);
    value *= kBias;
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    bits |= (half & 0x8000U) << 16;
    bits |= (half & 0x7c00U) == 0x7c00U ? 0x7f800000U : 0U;
    std::memcpy(to + i, &bits, sizeof bits);
  }
}

GODWIT_CLONES std::int64_t count_saturated_halves(const std::uint16_t* values, std::size_t count) {
  std::uint32_t found = 0;
  for (std::size_t i = 0; i < count; ++i) found += (values[i] & 0x7fffU) == 0x7bffU ? 1U : 0U;
  return found;
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15U + b;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

// The rotation carries a change of the highest bit down; without it two changed signs cancel out.
GODWIT_CLONES std::uint64_t hash_chunk(const void* data, std::size_t size) {
  constexpr std::size_t kStride = 2 * sizeof(Bits);
  const char* const bytes = static_cast<const char*>(data);
  Bits a = Bits{} + 0x85ebca6bU;
  Bits b = Bits{} + 0xc2b2ae35U;
  const auto take = [&](const char* from) __attribute__((always_inline)) {
    Bits x, y;
    load(x, from);
    load(y, from + sizeof x);
    a ^= x;
    b ^= y;
    a = ((a << 13) | (a >> 19)) * 0x9e3779b1U;
    b = ((b << 13) | (b >> 19)) * 0x9e3779b1U;
  };
  std::size_t at = 0;
  for (; at + kStride <= size; at += kStride) take(bytes + at);
  if (at < size) {
    char rest[kStride] = {};
    std::memcpy(rest, bytes + at, size - at);
    take(rest);
  }
  std::uint64_t hash = mix(size, 0);
  for (int lane = 0; lane < 8; ++lane) hash = mix(hash, (std::uint64_t{a[lane]} << 32) | b[lane]);
  return hash;
}

}  // namespace godwit::record
