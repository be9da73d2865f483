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
std::vector<std::int64_t> strides(const Sizes& dims);

/// Product of the sizes of axes [first, last).
std::int64_t product(const Sizes& dims, std::size_t first, std::size_t last);

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
std::optional<Sizes> broadcast(const Sizes& a, const Sizes& b);

/// Strides of `dims` seen as `out`: 0 along axes that are repeated.
std::vector<std::int64_t> broadcast_strides(const Sizes& dims, const Sizes& out);

/// Counts through all coordinates of `dims` in row-major order and keeps the offsets of several
/// arrays with strides of their own.
class Odometer {
 public:
  Odometer(Sizes dims, std::vector<std::vector<std::int64_t>> strides);

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
