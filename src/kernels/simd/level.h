// Which instruction set the kernels use: the best that this processor has, unless told otherwise.
#pragma once

#include <vector>

namespace godwit::kernels {

enum class SimdLevel {
  kBaseline,  ///< what every processor of the architecture has: plain C++ on x86-64, NEON on
              ///< aarch64
  kAvx2,      ///< with FMA and F16C
  kAvx512,    ///< F, BW, CD, DQ, VL
};

/// The level in use: the best one, or what `GODWIT_SIMD` (baseline, avx2, avx512) or limit_simd
/// asks.
SimdLevel simd_level();

/// The levels that this processor and this build can run, lowest first.
std::vector<SimdLevel> simd_levels();

/// Uses `level`, or the best one below it; for tests and benchmarks. What was packed before keeps
/// the level that it was packed for.
void limit_simd(SimdLevel level);

}  // namespace godwit::kernels
