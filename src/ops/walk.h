// Walking over elements: lanes along an axis, strides, and shapes that broadcast.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "ir/tensor.h"

namespace godwit::ops {

using ir::Sizes;

/// Distance in elements between neighbours along each axis, row-major.
inline std::vector<std::int64_t> strides(const Sizes& dims) {
  std::vector<std::int64_t> out(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) out[i - 1] = out[i] * dims[i];
  return out;
}

/// Product of the sizes of axes [first, last).
inline std::int64_t product(const Sizes& dims, std::size_t first, std::size_t last) {
  return std::accumulate(dims.begin() + static_cast<std::ptrdiff_t>(first),
                         dims.begin() + static_cast<std::ptrdiff_t>(last), std::int64_t{1},
                         std::multiplies<>());
}

/// The elements along one axis with all other coordinates fixed.
struct Lane {
  std::size_t first;
  std::size_t step;
  std::size_t count;
  std::size_t operator[](std::size_t i) const { return first + i * step; }
};

/// Calls `body(lane)` for every lane along `axis`, in row-major order of the other axes.
template <class Body>
void for_each_lane(const Sizes& dims, std::size_t axis, Body&& body) {
  const auto outer = static_cast<std::size_t>(product(dims, 0, axis));
  const auto length = static_cast<std::size_t>(dims[axis]);
  const auto inner = static_cast<std::size_t>(product(dims, axis + 1, dims.size()));
  for (std::size_t o = 0; o < outer; ++o) {
    for (std::size_t i = 0; i < inner; ++i) body(Lane{o * length * inner + i, inner, length});
  }
}

/// The sizes that two shapes broadcast to; nothing when they do not fit.
inline std::optional<Sizes> broadcast(const Sizes& a, const Sizes& b) {
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

/// Strides of `dims` seen as `out`: 0 along axes that are repeated.
inline std::vector<std::int64_t> broadcast_strides(const Sizes& dims, const Sizes& out) {
  const std::vector<std::int64_t> own = strides(dims);
  std::vector<std::int64_t> seen(out.size(), 0);
  const std::size_t missing = out.size() - dims.size();
  for (std::size_t i = 0; i < dims.size(); ++i) seen[i + missing] = dims[i] == 1 ? 0 : own[i];
  return seen;
}

/// Counts through all coordinates of `dims` in row-major order and keeps the offsets of several
/// arrays with strides of their own.
class Odometer {
 public:
  Odometer(Sizes dims, std::vector<std::vector<std::int64_t>> strides)
      : dims_(std::move(dims)),
        strides_(std::move(strides)),
        at_(dims_.size(), 0),
        offsets_(strides_.size(), 0),
        left_(product(dims_, 0, dims_.size())) {}

  bool done() const { return left_ == 0; }
  const Sizes& coordinates() const { return at_; }
  std::size_t offset(std::size_t array) const { return static_cast<std::size_t>(offsets_[array]); }
  void next() {
    --left_;
    for (std::size_t axis = dims_.size(); axis-- > 0;) {
      const bool wraps = ++at_[axis] == dims_[axis];
      for (std::size_t a = 0; a < strides_.size(); ++a)
        offsets_[a] += wraps ? -strides_[a][axis] * (dims_[axis] - 1) : strides_[a][axis];
      if (!wraps) return;
      at_[axis] = 0;
    }
  }

 private:
  Sizes dims_;
  std::vector<std::vector<std::int64_t>> strides_;
  Sizes at_;
  std::vector<std::int64_t> offsets_;
  std::int64_t left_;
};

}  // namespace godwit::ops
