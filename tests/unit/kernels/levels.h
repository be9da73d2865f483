// Runs a test at every SIMD level that this machine has.
#pragma once

#include <gtest/gtest.h>

#include "kernels/simd/level.h"

namespace godwit::kernels {

template <class Test>
void at_every_level(const Test& test) {
  const SimdLevel before = simd_level();
  for (const SimdLevel level : simd_levels()) {
    SCOPED_TRACE(static_cast<int>(level));
    limit_simd(level);
    test();
  }
  limit_simd(before);
}

}  // namespace godwit::kernels
