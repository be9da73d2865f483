// Loops on raw memory for sketches. Vectors of the compiler are used instead of intrinsics: the
// same text is AVX2, SSE2 and NEON.
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

// Thirty-two lanes in four vectors: a product takes ten cycles, and each lane waits for its last.
struct Lanes {
  Bits state[4];

  __attribute__((always_inline)) explicit Lanes(const Hash& hash) { load(state, hash.lanes); }
  // The rotation carries a change of the highest bit down; without it two changed signs cancel out.
  __attribute__((always_inline)) void take(const void* from, int half) {
    for (int k = 2 * half; k < 2 * half + 2; ++k) {
      Bits x;
      load(x, static_cast<const char*>(from) + (k - 2 * half) * sizeof x);
      state[k] ^= x;
      state[k] = ((state[k] << 13) | (state[k] >> 19)) * 0x9e3779b1U;
    }
  }
  __attribute__((always_inline)) void take_rest(const void* from, std::size_t size) {
    char rest[sizeof *this] = {};
    std::memcpy(rest, from, size);
    take(rest, 0);
    take(rest + sizeof rest / 2, 1);
  }
  __attribute__((always_inline)) void store(Hash& hash) const {
    std::memcpy(hash.lanes, this, sizeof *this);
  }
};

// Two accumulators of each kind hide the latency of the additions.
template <class Real, class Vector, class Mask>
struct Sums {
  static constexpr std::size_t kLanes = sizeof(Vector) / sizeof(Real);
  static constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  Vector low[2], high[2], sum[2], squares[2];
  Mask finite[2], zero[2];

  __attribute__((always_inline)) Sums() {
    for (int k = 0; k < 2; ++k) {
      low[k] = Vector{} + kInfinity;
      high[k] = Vector{} - kInfinity;
      sum[k] = squares[k] = Vector{};
      finite[k] = zero[k] = Mask{};
    }
  }

  // Any value. `exponent` has all bits of the exponent.
  template <class Integer>
  __attribute__((always_inline)) void take(const Vector& x, int k, Integer exponent) {
    Mask bits;
    std::memcpy(&bits, &x, sizeof bits);
    const Mask good = (bits & exponent) != exponent;  // all ones where finite
    const Vector at_least = good ? x : Vector{} + kInfinity;
    const Vector at_most = good ? x : Vector{} - kInfinity;
    low[k] = at_least < low[k] ? at_least : low[k];
    high[k] = at_most > high[k] ? at_most : high[k];
    const Vector plain = good ? x : Vector{};
    sum[k] += plain;
    squares[k] += plain * plain;
    finite[k] -= good;
    zero[k] -= x == Vector{};
  }

  // A finite value.
  __attribute__((always_inline)) void take_finite(const Vector& x, int k) {
    low[k] = x < low[k] ? x : low[k];
    high[k] = x > high[k] ? x : high[k];
    sum[k] += x;
    squares[k] += x * x;
    zero[k] -= x == Vector{};
  }

  __attribute__((always_inline)) BlockSums all() const {
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
};

// The rest that fills no two vectors is filled up with NaN, which counts nowhere.
template <class Sums, class Vector, class Real, class Integer>
__attribute__((always_inline)) inline void take_rest(Sums& sums, const Real* values,
                                                     std::size_t count, Integer exponent) {
  for (std::size_t i = 0; i < count; i += Sums::kLanes) {
    Vector x = Vector{} + std::numeric_limits<Real>::quiet_NaN();
    std::memcpy(&x, values + i, std::min(Sums::kLanes, count - i) * sizeof(Real));
    sums.take(x, 0, exponent);
  }
}

// Takes all values for finite first: one that is not would show in the sum. A block with such
// values is looked at again.
template <bool kHashes, class Real, class Vector, class Mask, class Integer>
__attribute__((always_inline)) inline BlockSums sum_lanes(const Real* values, std::size_t count,
                                                          Integer exponent, Hash* hash) {
  using Both = Sums<Real, Vector, Mask>;
  constexpr std::size_t kStride = 2 * Both::kLanes;
  constexpr std::size_t kTurn = 2 * kStride;  // what the hash takes at once
  const std::size_t whole = count / kTurn * kTurn;
  const std::size_t rest = count - whole;
  Both sums;
  const Hash none;
  Lanes lanes(kHashes ? *hash : none);
  for (std::size_t i = 0; i < whole; i += kTurn) {
    for (std::size_t half = 0; half < 2; ++half) {
      const Real* const at = values + i + half * kStride;
      Vector x, y;
      load(x, at);
      load(y, at + Both::kLanes);
      sums.take_finite(x, 0);
      sums.take_finite(y, 1);
      if constexpr (kHashes) lanes.take(at, half);
    }
  }
  if constexpr (kHashes) {
    if (rest > 0) lanes.take_rest(values + whole, rest * sizeof(Real));
    lanes.store(*hash);
  }
  const double seen = sums.all().sum;
  const bool finite = seen - seen == 0;
  if (!finite) sums = Both();
  for (std::size_t i = 0; !finite && i < whole; i += kStride) {
    Vector x, y;
    load(x, values + i);
    load(y, values + i + Both::kLanes);
    sums.take(x, 0, exponent);
    sums.take(y, 1, exponent);
  }
  take_rest<Both, Vector>(sums, values + whole, rest, exponent);
  BlockSums out = sums.all();
  if (finite) out.finite += static_cast<std::int64_t>(whole);
  return out;
}

}  // namespace

GODWIT_CLONES BlockSums sum_block(const float* values, std::size_t count, Hash* hash) {
  constexpr std::int32_t kExponent = 0x7f800000;
  return hash ? sum_lanes<true, float, Floats, Words>(values, count, kExponent, hash)
              : sum_lanes<false, float, Floats, Words>(values, count, kExponent, hash);
}

GODWIT_CLONES BlockSums sum_block(const double* values, std::size_t count, Hash* hash) {
  constexpr std::int64_t kExponent = 0x7ff0000000000000;
  return hash ? sum_lanes<true, double, Doubles, Longs>(values, count, kExponent, hash)
              : sum_lanes<false, double, Doubles, Longs>(values, count, kExponent, hash);
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

Hash::Hash() {
  std::fill(lanes, lanes + 16, 0x85ebca6bU);
  std::fill(lanes + 16, lanes + 32, 0xc2b2ae35U);
}

GODWIT_CLONES void hash_block(const void* data, std::size_t size, Hash& hash) {
  const char* const bytes = static_cast<const char*>(data);
  Lanes lanes(hash);
  std::size_t at = 0;
  for (; at + sizeof lanes <= size; at += sizeof lanes) {
    lanes.take(bytes + at, 0);
    lanes.take(bytes + at + sizeof lanes / 2, 1);
  }
  if (at < size) lanes.take_rest(bytes + at, size - at);
  lanes.store(hash);
}

std::uint64_t finish(const Hash& hash, std::size_t size) {
  std::uint64_t mixed = mix(size, 0);
  for (int lane = 0; lane < 16; ++lane)
    mixed = mix(mixed, (std::uint64_t{hash.lanes[lane]} << 32) | hash.lanes[lane + 16]);
  return mixed;
}

}  // namespace godwit::record
