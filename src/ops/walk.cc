// Strides and broadcasting: once per call, not once per element.
#include "ops/walk.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace godwit::ops {

std::vector<std::int64_t> strides(const Sizes& dims) {
  std::vector<std::int64_t> out(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) out[i - 1] = out[i] * dims[i];
  return out;
}

std::int64_t product(const Sizes& dims, std::size_t first, std::size_t last) {
  return std::accumulate(dims.begin() + static_cast<std::ptrdiff_t>(first),
                         dims.begin() + static_cast<std::ptrdiff_t>(last), std::int64_t{1},
                         std::multiplies<>());
}

std::optional<Sizes> broadcast(const Sizes& a, const Sizes& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  Sizes out(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t x = i + a.size() < rank ? 1 : a[i + a.size() - rank];
    const std::int64_t y = i + b.size() < rank ? 1 : b[i + b.size() - rank];
    if (x != y && x != 1 && y != 1) return std::nullopt;
    out[i] = x == 1 ? y : x;
  }
  return out;
}

std::vector<std::int64_t> broadcast_strides(const Sizes& dims, const Sizes& out) {
  const std::vector<std::int64_t> own = strides(dims);
  std::vector<std::int64_t> seen(out.size(), 0);
  const std::size_t missing = out.size() - dims.size();
  for (std::size_t i = 0; i < dims.size(); ++i) seen[i + missing] = dims[i] == 1 ? 0 : own[i];
  return seen;
}

Odometer::Odometer(Sizes dims, std::vector<std::vector<std::int64_t>> strides)
    : dims_(std::move(dims)),
      strides_(std::move(strides)),
      at_(dims_.size(), 0),
      offsets_(strides_.size(), 0),
      left_(product(dims_, 0, dims_.size())) {}

}  // namespace godwit::ops
