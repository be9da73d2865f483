// The p-norm, (sum |x|^p)^(1/p), of poolings and normalisations.
#pragma once

#include <cmath>

#include "ops/expect.h"

namespace godwit::ops {

/// Attribute `p`, a float in opset 1. Errors: E151 below 1.
template <class T>
Result<T> read_norm_order(const Call& call) {
  const double p = call.opset() == 1 && call.has("p") ? static_cast<double>(call.number("p"))
                                                      : static_cast<double>(call.integer("p"));
  const double order = call.has("p") ? p : 2;
  if (!(order >= 1)) return refuse_attribute(call, "p");
  return static_cast<T>(order);
}

/// The norm of x(0) … x(count - 1).
template <class T, class X>
T norm(T p, std::size_t count, X&& x) {
  T sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const T size = std::abs(x(i));
    sum += p == 1 ? size : p == 2 ? size * size : std::pow(size, p);
  }
  return p == 1 ? sum : p == 2 ? std::sqrt(sum) : std::pow(sum, 1 / p);
}

}  // namespace godwit::ops
