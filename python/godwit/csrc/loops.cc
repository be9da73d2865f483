// Branch-free bodies, so that every compiler makes vectors of them.
#include "loops.h"

// g++ makes no vectors of comparisons that could trap; clang assumes that they do not.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3", "no-trapping-math")
#endif

#include <algorithm>
#include <cstring>

// x86: one body, three vector units, chosen by the loader. Elsewhere the baseline has vectors.
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#define GODWIT_VECTORS __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define GODWIT_VECTORS
#endif
namespace godwit::loops {
namespace {

constexpr int64_t kChunk = 1024;  // small enough for a 32-bit count, and to look before mending

inline float as_float(uint32_t code) {
  float value;
  std::memcpy(&value, &code, sizeof value);
  return value;
}

inline uint32_t as_code(float value) {
  uint32_t code;
  std::memcpy(&code, &value, sizeof code);
  return code;
}

GODWIT_VECTORS uint16_t any_special(const uint16_t* codes, int64_t count) {
  uint16_t any = 0;
  for (int64_t i = 0; i < count; ++i) any |= static_cast<uint16_t>((codes[i] & 0x7c00) == 0x7c00);
  return any;
}

GODWIT_VECTORS uint32_t any_special(const uint32_t* codes, int64_t count) {
  uint32_t any = 0;
  for (int64_t i = 0; i < count; ++i)
    any |= static_cast<uint32_t>((codes[i] & 0x7f800000u) == 0x7f800000u);
  return any;
}

template <class Code>
int64_t mend(Code* codes, int64_t count, Code special, Code most) {
  constexpr Code sign = static_cast<Code>(Code{1} << (8 * sizeof(Code) - 1));
  int64_t mended = 0;
  for (int64_t i = 0; i < count; ++i) {
    const Code magnitude = codes[i] & static_cast<Code>(~sign);
    if (magnitude < special) continue;
    codes[i] = magnitude > special ? Code{0} : static_cast<Code>((codes[i] & sign) | most);
    ++mended;
  }
  return mended;
}

template <class Code>
int64_t saturate(Code* codes, int64_t count, Code special, Code most) {
  int64_t mended = 0;
  for (int64_t i = 0; i < count; i += kChunk) {
    const int64_t n = std::min(kChunk, count - i);
    if (any_special(codes + i, n)) mended += mend(codes + i, n, special, most);
  }
  return mended;
}

GODWIT_VECTORS int32_t clamp_chunk(float* values, int64_t count) {
  int32_t outside = 0;
  for (int64_t i = 0; i < count; ++i) {
    const float x = values[i];
    float y = x > 65504.0f ? 65504.0f : x;
    y = y < -65504.0f ? -65504.0f : y;
    y = x == x ? y : 0.0f;
    // What rounds to 65504 is inside.
    outside += !(x < 65520.0f && x > -65520.0f);
    values[i] = y;
  }
  return outside;
}

GODWIT_VECTORS void fp16_chunk(const float* from, float* to, int64_t count, float beyond,
                               float nan) {
  for (int64_t i = 0; i < count; ++i) {
    const float x = from[i];
    const uint32_t code = as_code(x);
    const uint32_t sign = code & 0x80000000u;
    const uint32_t size = code & 0x7fffffffu;
    // Normal numbers: 13 bits go, to nearest even. Below 2^-14 the step is 2^-24: that of fp32
    // beside 0.75.
    const uint32_t rounded = (size + 0xfffu + ((size >> 13) & 1u)) & ~0x1fffu;
    const float magnitude = as_float(size);
    const float small = (magnitude + 0.75f) - 0.75f;
    float y = magnitude < 6.103515625e-05f ? small : as_float(rounded);
    y = magnitude >= 65520.0f ? beyond : y;
    y = as_float(as_code(y) | sign);
    to[i] = x == x ? y : nan;
  }
}

GODWIT_VECTORS void hf32_chunk(const float* from, float* to, int64_t count, uint32_t even,
                               uint32_t half) {
  for (int64_t i = 0; i < count; ++i) {
    const uint32_t code = as_code(from[i]);
    const uint32_t rounded = (code + half + (even & (code >> 12) & 1u)) & ~0xfffu;
    const bool is_special = (code & 0x7f800000u) == 0x7f800000u;
    to[i] = as_float(is_special ? code : rounded);
  }
}

}  // namespace

int64_t saturate_half(uint16_t* codes, int64_t count) {
  return saturate<uint16_t>(codes, count, 0x7c00, 0x7bff);
}

int64_t saturate_float(uint32_t* codes, int64_t count) {
  return saturate<uint32_t>(codes, count, 0x7f800000u, 0x7f7fffffu);
}

int64_t clamp_to_half(float* values, int64_t count) {
  int64_t outside = 0;
  for (int64_t i = 0; i < count; i += kChunk)
    outside += clamp_chunk(values + i, std::min(kChunk, count - i));
  return outside;
}

void round_to_fp16(const float* from, float* to, int64_t count, bool saturates) {
  fp16_chunk(from, to, count, saturates ? 65504.0f : as_float(0x7f800000u),
             saturates ? 0.0f : as_float(0x7fc00000u));
}

void round_to_hf32(const float* from, float* to, int64_t count, bool ties_to_even) {
  hf32_chunk(from, to, count, ties_to_even ? 1u : 0u, ties_to_even ? 0x7ffu : 0x800u);
}

}  // namespace godwit::loops
