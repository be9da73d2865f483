// Asks the processor what it can do, once.
#include "kernels/simd/level.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>

namespace godwit::kernels {
namespace {

SimdLevel best_level() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (!avx2) return SimdLevel::kBaseline;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512cd");
  return avx512 ? SimdLevel::kAvx512 : SimdLevel::kAvx2;
#else
  return SimdLevel::kBaseline;
#endif
}

SimdLevel wanted_level() {
  const char* const text = std::getenv("GODWIT_SIMD");
  const std::string_view wanted = text == nullptr ? "" : text;
  if (wanted == "baseline") return SimdLevel::kBaseline;
  return wanted == "avx2" ? SimdLevel::kAvx2 : SimdLevel::kAvx512;
}

std::atomic<SimdLevel>& level() {
  static std::atomic<SimdLevel> value{std::min(best_level(), wanted_level())};
  return value;
}

}  // namespace

SimdLevel simd_level() { return level().load(std::memory_order_relaxed); }

std::vector<SimdLevel> simd_levels() {
  std::vector<SimdLevel> levels{SimdLevel::kBaseline};
  for (const SimdLevel next : {SimdLevel::kAvx2, SimdLevel::kAvx512}) {
    if (next <= best_level()) levels.push_back(next);
  }
  return levels;
}

void limit_simd(SimdLevel wanted) { level() = std::min(wanted, best_level()); }

}  // namespace godwit::kernels
