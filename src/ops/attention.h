// What the attention operators share: rows of heads in both layouts, scores, softmax, and the
// weighted sum of values.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "ops/call.h"

namespace godwit::ops {

/// Rows of an input [batch, heads, length, size], or packed as [batch, length, heads * size].
template <class T>
struct HeadRows {
  std::span<const T> values;
  std::size_t batch, heads, length, size;
  bool is_packed = false;

  std::span<const T> operator()(std::size_t b, std::size_t h, std::size_t i) const {
    const std::size_t row = is_packed ? (b * length + i) * heads + h : (b * heads + h) * length + i;
    return values.subspan(row * size, size);
  }
};

/// The sizes of an input as rows of heads. `heads` is the attribute that counts the heads of a
/// packed input. Errors: E151 another rank, or heads that do not fit.
struct HeadSizes {
  std::int64_t batch, heads, length, size;
  bool is_packed = false;
};
Result<HeadSizes> read_heads(const Call& call, std::size_t input, std::string_view heads);

template <class T>
HeadRows<T> head_rows(const HeadSizes& s, std::span<const T> values) {
  const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  return {values, size(s.batch), size(s.heads), size(s.length), size(s.size), s.is_packed};
}

/// The product of two rows, both scaled by `factor` before so that it does not overflow.
template <class T>
T score(std::span<const T> q, std::span<const T> k, T factor) {
  T sum = 0;
  for (std::size_t i = 0; i < q.size(); ++i) sum += (q[i] * factor) * (k[i] * factor);
  return sum;
}

/// exp(x - max) / sum; all zeros where every element is minus infinity.
template <class T>
void softmax_row(std::span<T> row) {
  T top = -std::numeric_limits<T>::infinity();
  for (const T x : row) top = std::max(top, x);
  if (top == -std::numeric_limits<T>::infinity()) {
    std::fill(row.begin(), row.end(), T(0));
    return;
  }
  T sum = 0;
  for (T& x : row) sum += x = std::exp(x - top);
  for (T& x : row) x /= sum;
}

/// to += the rows of `values` of one head, weighted.
template <class T>
void add_weighted(std::span<const T> weights, const HeadRows<T>& values, std::size_t b,
                  std::size_t h, std::span<T> to) {
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const std::span<const T> row = values(b, h, j);
    for (std::size_t d = 0; d < row.size(); ++d) to[d] += weights[j] * row[d];
  }
}

}  // namespace godwit::ops
