// Asks the processor what it can do, once.
#include "kernels/simd/level.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace godwit::kernels {
namespace {

#if defined(__x86_64__)
// The compilers' own test (__builtin_cpu_supports) needs a run-time library that not all bring.
struct CpuId {
  unsigned a = 0, b = 0, c = 0, d = 0;
  explicit CpuId(unsigned leaf) { __get_cpuid_count(leaf, 0, &a, &b, &c, &d); }
};

// The state that the operating system keeps when it switches threads.
std::uint32_t kept_state() {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

SimdLevel best_level() {
  const CpuId basic(1);
  const CpuId more(7);
  constexpr unsigned kBasic = 1u << 12 | 1u << 27 | 1u << 28 | 1u << 29;  // FMA OSXSAVE AVX F16C
  constexpr unsigned kAvx2 = 1u << 3 | 1u << 5 | 1u << 8;                 // BMI1 AVX2 BMI2
  constexpr unsigned kAvx512 =
      1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31;  // F DQ CD BW VL
  if ((basic.c & kBasic) != kBasic || (more.b & kAvx2) != kAvx2) return SimdLevel::kBaseline;
  const std::uint32_t state = kept_state();
  if ((state & 0x06) != 0x06) return SimdLevel::kBaseline;
  return (more.b & kAvx512) == kAvx512 && (state & 0xe6) == 0xe6 ? SimdLevel::kAvx512
                                                                 : SimdLevel::kAvx2;
}
#else
SimdLevel best_level() { return SimdLevel::kBaseline; }
#endif

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
