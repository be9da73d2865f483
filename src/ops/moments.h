// Mean and variance, in two passes, as the normalisations share them.
#pragma once

#include <cmath>
#include <cstddef>

namespace godwit::ops {

template <class T>
struct Moments {
  T mean = 0;
  T variance = 0;  // of the whole population, not of a sample
};

/// Of x(0) … x(count - 1).
template <class T, class X>
Moments<T> moments(std::size_t count, X&& x) {
  Moments<T> out;
  for (std::size_t i = 0; i < count; ++i) out.mean += x(i);
  out.mean /= static_cast<T>(count);
  for (std::size_t i = 0; i < count; ++i) out.variance += (x(i) - out.mean) * (x(i) - out.mean);
  out.variance /= static_cast<T>(count);
  return out;
}

}  // namespace godwit::ops
