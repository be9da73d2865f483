// What a sketch holds, and the loops behind it: on raw memory, a block at a time, vectorised for
// the machine that runs them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace godwit::record {

/// Statistics are those of the finite values; NaN and infinities are counted apart. A complex
/// tensor counts as twice as many real numbers.
struct Sketch {
  static constexpr int kSamples = 64;
  std::int64_t count = 0;  // numbers looked at
  std::int64_t finite = 0;
  std::int64_t nan = 0, positive_inf = 0, negative_inf = 0, zero = 0;
  std::int64_t saturated = 0;  // fp16 values of ±65504: where chips that only saturate overflow
  double min = 0, max = 0, mean = 0, norm = 0, rms = 0;  // meaningless when finite == 0
  std::uint64_t hash = 0;                                // of the bytes in row-major order
  int samples = 0;
  std::array<float, kSamples> sample{};  // evenly spaced, first and last included
  bool known = false;                    // false: of a type or layout without numbers to look at
};

constexpr std::size_t kBlock = 4096;  // values at a time: they stay in the first-level cache

/// Sums over one block. Squares are summed in the type of the values, so the caller looks for
/// overflow and underflow.
struct BlockSums {
  double min, max, sum, squares;
  std::int64_t finite, zero;
};

/// The hash of a chunk in the making. Each 4 bytes of input change all that follows in their lane,
/// so order matters.
struct Hash {
  Hash();
  std::uint32_t lanes[32];
};

/// Takes the bytes of the values into `hash` in the same pass, unless it is null.
BlockSums sum_block(const float* values, std::size_t count, Hash* hash = nullptr);
BlockSums sum_block(const double* values, std::size_t count, Hash* hash = nullptr);

/// All but the last block of a chunk are multiples of 64 bytes.
void hash_block(const void* data, std::size_t size, Hash& hash);
/// Of a chunk of `size` bytes.
std::uint64_t finish(const Hash& hash, std::size_t size);

/// fp16 and bf16 as floats.
void widen_half(const std::uint16_t* from, float* to, std::size_t count);
void widen_bfloat(const std::uint16_t* from, float* to, std::size_t count);

std::int64_t count_saturated_halves(const std::uint16_t* values, std::size_t count);

/// Mixes b into a; not symmetric.
std::uint64_t mix(std::uint64_t a, std::uint64_t b);

}  // namespace godwit::record
