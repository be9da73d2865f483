// Values between the elements of an image: weighted sums of neighbours along each axis.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "ops/walk.h"

namespace godwit::ops {

/// What values between elements are computed in: whole numbers as doubles.
template <class T>
using Real = std::conditional_t<std::is_floating_point_v<T>, T, double>;

/// Elements of one axis and their weights in a value between them. What lies outside is zero and
/// left out.
template <class T>
struct Tap {
  std::size_t place;
  T weight;
};
template <class T>
using Taps = std::vector<Tap<T>>;

/// The two neighbours of `x` on an axis of `size`.
template <class T>
Taps<T> linear_taps(T x, std::int64_t size) {
  if (!(x > -1 && x < static_cast<T>(size))) return {};
  const auto low = static_cast<std::int64_t>(std::floor(x));
  const T part = x - std::floor(x);
  Taps<T> out;
  if (low >= 0) out.push_back({static_cast<std::size_t>(low), 1 - part});
  if (low + 1 < size) out.push_back({static_cast<std::size_t>(low + 1), part});
  return out;
}

/// Weights of the elements at distances 1 + part, part, 1 - part and 2 - part (Keys 1981).
template <class T>
std::vector<T> cubic_weights(T part, T a) {
  const auto near = [a](T d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  const auto far = [a](T d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  return {far(1 + part), near(part), near(1 - part), far(2 - part)};
}

/// The sum of x over all combinations of taps, one list for each axis, times their weights.
template <class T>
Real<T> blend(std::span<const T> x, const std::vector<std::int64_t>& steps,
              const std::vector<Taps<Real<T>>>& axes) {
  Sizes counts;
  for (const auto& taps : axes) counts.push_back(static_cast<std::int64_t>(taps.size()));
  Real<T> sum = 0;
  for (Odometer at(counts, {}); !at.done(); at.next()) {
    std::size_t place = 0;
    Real<T> weight = 1;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      const auto& tap = axes[axis][static_cast<std::size_t>(at.coordinates()[axis])];
      place += tap.place * static_cast<std::size_t>(steps[axis]);
      weight *= tap.weight;
    }
    sum += weight * static_cast<Real<T>>(x[place]);
  }
  return sum;
}

}  // namespace godwit::ops
