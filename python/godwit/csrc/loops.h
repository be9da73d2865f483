// The inner loops of numerics on plain arrays; each is compiled for several vector units and chosen
// when the library is loaded.
#pragma once

#include <cstdint>

namespace godwit::loops {

/// Infinity becomes the largest number, NaN becomes zero; how many there were.
int64_t saturate_half(uint16_t* codes, int64_t count);
int64_t saturate_float(uint32_t* codes, int64_t count);

/// Into the range of fp16, NaN to zero, still fp32; how many were outside.
int64_t clamp_to_half(float* values, int64_t count);

/// To the nearest fp16, ties to even, still fp32; out of range: 65504 or infinity.
void round_to_fp16(const float* from, float* to, int64_t count, bool saturates);

/// To 11 bits after the point.
void round_to_hf32(const float* from, float* to, int64_t count, bool ties_to_even);

}  // namespace godwit::loops
