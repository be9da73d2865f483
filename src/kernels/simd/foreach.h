// Compiles the including file once for each instruction set we choose between: AVX-512, AVX2 and
// plain C++ on x86-64, NEON on aarch64. Highway is used by its headers alone; which set runs is
// decided by simd/level.h, so that no library of Highway's is linked.
//
// A file that uses it names itself first and includes <hwy/highway.h> after it:
//   #undef HWY_TARGET_INCLUDE
//   #define HWY_TARGET_INCLUDE "kernels/rows.cc"
//   #include "kernels/simd/foreach.h"
//   #include <hwy/highway.h>
#pragma once

// Every x86-64 server since 2013 has AVX2; the sets between it and plain C++ would only cost size.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)

#include <hwy/foreach_target.h>

// Plain C++: conversions to and from fp16 are ours, Highway's own do not round as hardware does.
#define GODWIT_HAS_F16C (HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR)

#include "kernels/simd/level.h"

// The value `name` of the namespace of the instruction set in use.
#if HWY_TARGETS & HWY_AVX3
#define GODWIT_AT_LEVEL(name)                        \
  (simd_level() == SimdLevel::kAvx512 ? N_AVX3::name \
   : simd_level() == SimdLevel::kAvx2 ? N_AVX2::name \
                                      : HWY_STATIC_DISPATCH(name))
#else
#define GODWIT_AT_LEVEL(name) HWY_STATIC_DISPATCH(name)
#endif
