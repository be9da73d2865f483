// Values for tests, the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace godwit::kernels {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// `n` values between -scale and scale.
inline std::vector<float> some_values(std::size_t n, std::uint64_t seed, float scale = 1.0f) {
  std::vector<float> values(n);
  std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (float& value : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    value = scale * (static_cast<float>(state >> 40) * 0x1p-23f - 1.0f);
  }
  return values;
}

}  // namespace godwit::kernels
