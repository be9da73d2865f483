// The order of sums along a row, spelled out.
#include "kernels/rows.h"

namespace godwit::kernels::ref {

float tree_sum(const float* values, std::size_t n) {
  float chains[64] = {};
  for (std::size_t i = 0; i < n; ++i) chains[i % 64] += values[i];
  for (std::size_t half = 32; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) chains[i] += chains[i + half];
  }
  return chains[0];
}

}  // namespace godwit::kernels::ref
